import { MINUTE, midnight, yearBefore, yearOf } from './calendar.ts'
import type { Day } from './calendar.ts'
import type { Competition } from './competitions.ts'
import { roundsOf } from './fixtures.ts'
import type { Pairing } from './fixtures.ts'
import { randomOf } from './random.ts'

/** A game on the schedule. */
export interface Fixture extends Pairing {
  /** Which game of the season it is; it does not depend on the date. */
  readonly ordinal: number
  readonly day: Day
  /** Milliseconds since 1970. */
  readonly start: number
}

export interface Schedule {
  /** How many seasons before the current one. */
  readonly back: number
  readonly season: number
  readonly fixtures: readonly Fixture[]
}

const CLOSES = 1_435

/** A season's schedule around the anchor day: its own year's where `back` is 0, that of `back` years before else. */
export function scheduleOf(seed: string, competition: Competition, anchor: Day, back: number): Schedule {
  const days = matchDays(seed, competition, back)
  const now = Math.floor(competition.played * days.length)
  const last = anchor + (days.length - 1 - now) * competition.rhythm
  const end = back === 0 ? last : yearBefore(last)
  const dayAt = (index: number) => end - (days.length - 1 - index) * competition.rhythm
  return {
    back,
    season: competition.sport === 'basketball' ? yearOf(last) - back : yearOf(dayAt(0)),
    fixtures: numbered(days.flatMap((games, index) => placed(games, dayAt(index)))),
  }
}

interface Slotted {
  readonly pairing: Pairing
  /** Minutes from midnight to the start. */
  readonly minute: number
}

const placed = (games: readonly Slotted[], day: Day) =>
  games.map(({ pairing, minute }) => ({ ...pairing, day, start: midnight(day) + minute * MINUTE }))

const numbered = (games: readonly Omit<Fixture, 'ordinal'>[]): Fixture[] =>
  games.map((game, ordinal) => ({ ...game, ordinal })).toSorted((one, other) => one.start - other.start)

function matchDays(seed: string, competition: Competition, back: number): Slotted[][] {
  const random = randomOf(seed, competition.sport, 'fixtures', back)
  const queue = roundsOf(random, competition).flat()
  const lastStart = new Map<number, number>()
  const days: Slotted[][] = []
  for (let games = takeDay(queue, competition.gamesInDay); games.length > 0;) {
    days.push(slotted(games, lastStart, days.length, -competition.eve))
    games = takeDay(queue, competition.gamesInDay)
  }
  return days
}

/** Takes the next games from the queue in which no team plays twice. */
function takeDay(queue: Pairing[], count: number): Pairing[] {
  const busy = new Set<number>()
  const games: Pairing[] = []
  for (let at = 0; at < queue.length && games.length < count;) {
    const game = queue[at]
    if (!game || busy.has(game.home) || busy.has(game.away)) {
      at++
      continue
    }
    queue.splice(at, 1)
    games.push(game)
    busy.add(game.home).add(game.away)
  }
  return games
}

/** Spreads a day's games over its hours; who played last plays last, so that nobody goes short of rest. */
function slotted(
  games: readonly Pairing[],
  lastStart: Map<number, number>,
  day: number,
  opens: number,
): Slotted[] {
  const before = ({ home, away }: Pairing) =>
    Math.max(lastStart.get(home) ?? -Infinity, lastStart.get(away) ?? -Infinity)
  const order = games.toSorted((one, other) => before(one) - before(other) || one.home - other.home)
  return order.map((pairing, at) => {
    const share = order.length === 1 ? 0.5 : at / (order.length - 1)
    const minute = opens + Math.round((share * (CLOSES - opens)) / 5) * 5
    for (const team of [pairing.home, pairing.away]) lastStart.set(team, day * 1_440 + minute)
    return { pairing, minute }
  })
}
