import type { Answer, Live } from './answer.ts'

/** The ids of the object in an event: the global one, and the service’s own of a game. */
function idsOf(event: unknown): readonly unknown[] {
  const [told] = Object.values(event as object) as unknown[] // GraphQL’s `data`
  if (typeof told !== 'object' || told === null) return []
  return [Reflect.get(told, 'id'), Reflect.get(told, 'gameId')]
}

/** The global id of the object in an event. */
export const idOf = (event: unknown): unknown => idsOf(event)[0]

/** Adds an event, in place of an earlier one of the same object. */
export function withEvent<Data>(events: readonly Data[], event: Data): readonly Data[] {
  const id = idOf(event)
  if (id === undefined) return [event]
  const known = events.findIndex((one) => idOf(one) === id)
  return known < 0 ? [...events, event] : events.map((one, at) => (at === known ? event : one))
}

/** The ids of the objects in events. */
export const idsIn = (events: readonly object[]): ReadonlySet<unknown> => new Set(events.map(idOf))

/** What one connection has told. A stream that is opened again tells its whole state anew. */
export class Arrivals<Data> {
  readonly #ids = new Set<unknown>()
  #complete: boolean | null = null
  #stale: Date | null = null

  /**
   * Whether the whole state has come; null while the first one has not. A state that begins anew, such as that of the
   * next day, is not complete until its own last event.
   */
  get complete(): boolean | null {
    return this.#complete
  }

  /** Until when the rows were current, by the last event; null while they are. A ping does not change it. */
  get stale(): Date | null {
    return this.#stale
  }

  /** Notes what an event says of its rows: that they have expired, or that there are none. */
  note({ data, stale }: Pick<Answer<unknown>, 'data' | 'stale'>): void {
    if (stale) this.#stale = new Date(Date.now() - stale.seconds * 1_000)
    else this.#stale = data === null ? (this.#stale ?? new Date()) : null
  }

  /**
   * The events of earlier connections and of this one, with one more. Without those of objects that have left, and once
   * the state is whole, of objects that it no longer has.
   */
  add(events: readonly Data[], event: Data, { complete, left = [] }: Live = {}): readonly Data[] {
    if (complete === false && this.#complete) {
      this.#complete = false
      this.#ids.clear()
    }
    this.#ids.add(idOf(event))
    if (complete) this.#complete = true
    const isThere = (one: Data) =>
      (!this.#complete || this.#ids.has(idOf(one))) && !idsOf(one).some((id) => left.includes(id as string)) // or undefined
    return withEvent(events, event).filter(isThere)
  }
}
