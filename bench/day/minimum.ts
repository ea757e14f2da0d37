import type { Asked } from '../bill/recipe.ts'
import type { Schedule } from './schedule.ts'

/**
 * How a part of an answer ages: as people and leagues do, as current rows do, as a day's list does, or with
 * its game.
 */
export type Life = 'reference' | 'current' | { readonly day: string } | { readonly game: string }

/** A part of what a query shows: a row, the columns of one that some operations leave out, or a list. */
export interface Part {
  readonly name: string
  readonly life: Life
}

/** Calls that belong together, and every part that their answers bring. */
export interface Supplier {
  readonly calls: readonly Asked[]
  readonly brings: readonly Part[]
}

export interface Need {
  readonly parts: readonly Part[]
  /** Whatever could bring the parts that have aged. */
  suppliers(aged: ReadonlySet<string>): readonly Supplier[]
}

/** What a call is billed now. */
export type Price = (asked: Asked) => Promise<number>

const [live, current, reference] = [15_000, 300_000, 86_400_000]

/**
 * The minimum cost of a day's queries under the contract's freshness rules. Each part is bought when it has
 * expired, not before. It does not use Statline: game states come from the service's database, prices from
 * the service's bills. Of all calls that bring the expired parts, it takes the cheapest combination.
 */
export class Minimum {
  readonly #schedule: Schedule
  readonly #price: Price
  readonly #freshUntil = new Map<string, number>()

  constructor(schedule: Schedule, price: Price) {
    this.#schedule = schedule
    this.#price = price
  }

  /** The tokens that a query costs at least at a moment, after all queries before it. */
  async ask({ parts, suppliers }: Need, now: number): Promise<number> {
    const aged = new Set(
      parts.filter(({ name }) => (this.#freshUntil.get(name) ?? 0) <= now).map(({ name }) => name),
    )
    if (aged.size === 0) return 0
    const priced: Priced[] = []
    for (const supplier of suppliers(aged)) {
      let tokens = 0
      for (const asked of supplier.calls) tokens += await this.#price(asked)
      priced.push({ ...supplier, tokens })
    }
    const { tokens, chosen } = cheapest(aged, priced)
    for (const { brings } of chosen)
      for (const part of brings) this.#freshUntil.set(part.name, await this.#until(part.life, now))
    return tokens
  }

  async #until(life: Life, now: number): Promise<number> {
    if (life === 'reference') return now + reference
    if (life === 'current') return now + current
    if ('day' in life) return now + ((await this.#schedule.isOver(life.day)) ? reference : current)
    const { start, isFinal } = await this.#schedule.state(life.game)
    if (isFinal) return now + reference
    return start > now ? Math.min(now + current, start) : now + live
  }
}

interface Priced extends Supplier {
  readonly tokens: number
}

/** The suppliers that together bring all that has aged for the fewest tokens, by trying every combination. */
function cheapest(aged: ReadonlySet<string>, suppliers: readonly Priced[]) {
  let best: { readonly tokens: number; readonly chosen: readonly Priced[] } | undefined
  for (let choice = 1; choice < 2 ** suppliers.length; choice += 1) {
    const chosen = suppliers.filter((_, index) => choice & (1 << index))
    const tokens = chosen.reduce((sum, one) => sum + one.tokens, 0)
    if (best && tokens >= best.tokens) continue
    const brought = new Set(chosen.flatMap(({ brings }) => brings.map(({ name }) => name)))
    if ([...aged].every((name) => brought.has(name))) best = { tokens, chosen }
  }
  if (!best) throw new Error(`No call brings ${[...aged].slice(0, 3).join(', ')}.`)
  return best
}
