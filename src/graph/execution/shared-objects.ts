import type { Entry } from '../../rows/entry.ts'
import type { Scope } from '../scope.ts'

/** A parent of an object, and the object's position in its list; null if the field is not a list. */
export type Parent = readonly [index: number, position: number | null]

/**
 * Finds the equal objects of a group. They are executed once and printed for each parent, so that the work
 * for a query is bounded by the rows that it reaches, not by the paths to them.
 */
export class SharedObjects {
  readonly #sources: readonly unknown[]
  readonly #byIdentity: boolean
  /** The first object of each row. */
  readonly #first = new Map<unknown, number>()
  /** For an object, the next one of the same row in another scope. */
  readonly #next: number[] = []
  /** The parents of each object beside its first one: for each, its index and the position in its list. */
  readonly #parents = new Map<number, Parent[]>()

  /** `sources` are the group's objects. `byIdentity`: whether they are not rows, but shared as they are. */
  constructor(sources: readonly unknown[], byIdentity: boolean) {
    this.#sources = sources
    this.#byIdentity = byIdentity
    sources.forEach((source, index) => this.find(source, index))
  }

  /** The index of an equal object. If there is none, the object is found as `next` from now on. */
  find(source: unknown, next: number): number | undefined {
    const identity = this.#byIdentity ? source : (source as Partial<Row>).entry // undefined for any other object
    if (identity === undefined) return undefined
    let index = this.#first.get(identity)
    if (index === undefined) {
      this.#first.set(identity, next)
      return undefined
    }
    for (;;) {
      const other = this.#sources[index]
      if (other === source || isInScopeOf(other as Row, source as Row)) return index // they have the same entry
      const further: number | undefined = this.#next[index]
      if (further === undefined) break
      index = further
    }
    this.#next[index] = next
    return undefined
  }

  addParent(index: number, parent: number, position: number | null): void {
    const parents = this.#parents.get(index)
    if (parents) parents.push([parent, position])
    else this.#parents.set(index, [[parent, position]])
  }

  /** The parents of an object beside its first one. */
  parentsOf(index: number): readonly Parent[] {
    return this.#parents.get(index) ?? []
  }
}

interface Row {
  readonly entry: Entry
  readonly scope: Scope
}

/**
 * Whether two objects of the same row have the same fields. The day in scope only says where a search for a
 * team's conference begins, and a request searches once.
 */
const isInScopeOf = ({ scope }: Row, { scope: other }: Row): boolean =>
  scope === other ||
  (scope.season === other.season &&
    scope.division_id === other.division_id &&
    scope.organization_id === other.organization_id)
