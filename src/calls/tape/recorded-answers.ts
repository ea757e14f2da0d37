import type { Recorded } from '../../wire/not-recorded.ts'
import { joined, rowsTellTheirValues } from './recorded-rows.ts'
import type { RecordedPart } from './recorded-rows.ts'
import { listedIn } from '../recorded-list.ts'

/** The lines that answer the same question, in the order of recording. The last one stays. */
type Queue = Recorded[]

/** The recorded answers of one key. */
export class RecordedAnswers {
  readonly #byCall = new Map<string, Queue>()
  /** Lines of calls with a list of values, by what else they ask for and by each value. */
  readonly #byValue = new Map<string, Map<string, Queue>>()

  constructor(lines: readonly Recorded[]) {
    for (const line of lines) {
      add(this.#byCall, line.call, line)
      const listed = listedIn(line.call)
      if (!listed || !rowsTellTheirValues(line, listed)) continue
      const queues = this.#byValue.get(listed.others) ?? new Map<string, Queue>()
      this.#byValue.set(listed.others, queues)
      for (const value of listed.values) add(queues, value, line)
    }
  }

  /** The next answers to all calls. */
  get next(): readonly Recorded[] {
    return [...this.#byCall.values()].flatMap(([line]) => line ?? [])
  }

  /** The next answer to a call; undefined if the tape has none. */
  answerTo(call: string): Omit<Recorded, 'key' | 'call'> | undefined {
    const queue = this.#byCall.get(call)
    const line = queue?.[0]
    if (!queue || !line) return this.#joinedAnswer(call)
    pass(queue, line)
    const listed = listedIn(call)
    // Later calls for a part of the values go on from here.
    for (const value of listed?.values ?? []) {
      const ofValue = this.#byValue.get(listed?.others ?? '')?.get(value)
      if (ofValue) pass(ofValue, line)
    }
    return line
  }

  /**
   * The answer to a call with a list of values, from the answers to calls that differ in this list only. Which
   * values come together in one call depends on which queries arrive at the same time.
   */
  #joinedAnswer(call: string): Omit<Recorded, 'key' | 'call'> | undefined {
    const listed = listedIn(call)
    const queues = listed && this.#byValue.get(listed.others)
    if (!queues) return undefined
    const valuesOf = new Map<Recorded, string[]>()
    for (const value of listed.values) {
      const line = queues.get(value)?.[0]
      if (!line) return undefined
      valuesOf.set(line, [...(valuesOf.get(line) ?? []), value])
    }
    const parts: RecordedPart[] = []
    for (const [line, values] of valuesOf) {
      const asked = listedIn(line.call)
      if (asked) parts.push({ line, listed: asked, values })
      for (const value of values) pass(queues.get(value) ?? [], line)
    }
    return joined(parts) ?? undefined
  }
}

function add(queues: Map<string, Queue>, name: string, line: Recorded): void {
  const known = queues.get(name)
  if (known) known.push(line)
  else queues.set(name, [line])
}

/** Removes a line and those before it, but not the last one. */
const pass = (queue: Queue, line: Recorded): void =>
  void queue.splice(0, Math.min(queue.indexOf(line) + 1, queue.length - 1))
