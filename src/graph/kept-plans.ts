import { getHeapStatistics } from 'node:v8'

/** Measured: bytes of a field of a plan, or of the selection on one row. */
const bytesPerField = 1_000

/** Maximum fields of everything kept together: a sixteenth of the heap, at most 100 MB. */
const most = Math.floor(Math.min(100e6, getHeapStatistics().heap_size_limit / 16) / bytesPerField)

const all: KeptPlans<object, unknown>[] = []
let fields = 0

/**
 * What is made of documents: plans by operations, selections by fields. They live as long as the document is parsed,
 * but a document of some kilobytes can have a plan for each set of its conditions. So they are counted, and above the
 * maximum all are dropped. What runs goes on with its own.
 */
export class KeptPlans<Node extends object, V> {
  #byNode = new WeakMap<Node, V>()

  constructor() {
    all.push(this)
  }

  of(node: Node, make: () => V): V {
    const known = this.#byNode.get(node)
    if (known !== undefined) return known
    const made = make()
    this.#byNode.set(node, made)
    return made
  }

  drop(): void {
    this.#byNode = new WeakMap()
  }
}

/** Counts fields that are kept from now on. */
export function countFields(count: number): void {
  fields += count
  if (fields <= most) return
  fields = 0
  for (const plans of all) plans.drop()
}
