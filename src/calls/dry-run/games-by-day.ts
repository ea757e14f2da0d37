import type { Entry } from '../../rows/entry.ts'
import type { Rows } from '../../rows/rows.ts'
import { textOf } from '../../rows/values.ts'
import type { Argument } from '../../specification/operation.ts'

/**
 * The games of each day that a dry run uses. A query may name hundreds of days with thousands of games, so each game is
 * looked at once, or until its day is known.
 */
export class GamesByDay {
  readonly #rows: Rows
  readonly #now: number
  /** The days of games that are in the list of a day. */
  readonly #listed = new Map<string, Argument>()
  readonly #byDay = new Map<Argument, string[]>()
  /** The used games, of which so many were looked at. Never read to its end: it would bring no later ones. */
  #games: Iterator<readonly [string, Entry]> | null = null
  #looked = 0
  #withoutDay: (readonly [string, Entry])[] = []

  constructor(rows: Rows, now: number) {
    this.#rows = rows
    this.#now = now
  }

  /** Notes the list of a day. */
  list(day: Argument, games: readonly string[]): void {
    for (const game of games) this.#listed.set(game, day)
  }

  /** The games of a day that were used before. */
  usedOn(day: Argument): readonly string[] {
    const looked = [...this.#withoutDay, ...this.#newlyUsed()]
    this.#withoutDay = looked.filter((game) => !this.#place(game))
    return this.#byDay.get(day) ?? []
  }

  #newlyUsed(): (readonly [string, Entry])[] {
    const used = this.#rows.usedIn('game')
    const games: (readonly [string, Entry])[] = []
    if (used.size > 0) this.#games ??= used.entries()
    for (; this.#looked < used.size; this.#looked += 1) {
      const next = this.#games?.next()
      if (next && !next.done) games.push(next.value)
    }
    return games
  }

  /** Returns whether the game's day is known. */
  #place([key, entry]: readonly [string, Entry]): boolean {
    const day = this.#listed.get(key) ?? startDayOf(entry, this.#now)
    if (day === undefined) return false
    const games = this.#byDay.get(day)
    if (games) games.push(key)
    else this.#byDay.set(day, [key])
    return true
  }
}

function startDayOf(game: Entry, now: number): string | undefined {
  const start = game.column('start_date', now)
  return start === undefined || start === null ? undefined : textOf(start).slice(0, 10)
}
