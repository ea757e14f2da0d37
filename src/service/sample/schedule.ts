import { MINUTE, midnight, yearBefore, yearOf } from './calendar.ts'
import type { Day } from './calendar.ts'
import type { Competition } from './competitions.ts'
import { roundsOf } from './rounds.ts'
import type { Pairing } from './rounds.ts'
import { randomOf } from './random.ts'
import { strengthOf } from './teams.ts'

/** A game on the schedule. */
export interface Fixture extends Pairing {
  /** The number of the game in its season, independent of the date. */
  readonly ordinal: number
  readonly day: Day
  /** Milliseconds since 1970. */
  readonly start: number
}

export interface Schedule {
  /** The number of seasons before the current one. */
  readonly back: number
  readonly season: number
  readonly fixtures: readonly Fixture[]
}

/**
 * Minutes from midnight (UTC) to the first and the last start in the afternoon and in the evening. All are
 * between 11:00 and 22:30 in UTC and in the eastern United States alike, in winter as in summer: a normal
 * hour in either clock.
 */
const OPENS = 16 * 60
const DUSK = 17.75 * 60
const EVENING = 19 * 60
const CLOSES = 22.5 * 60
/** Games begin at full quarters of an hour. */
const QUARTER = 15

/** A season's schedule: for `back` 0 the season of the anchor day, otherwise that of `back` years earlier. */
export function scheduleOf(seed: string, competition: Competition, anchor: Day, back: number): Schedule {
  const days = matchDays(seed, competition, back)
  const last = anchor + days.length - 1 - competition.daysPlayed
  const end = back === 0 ? last : yearBefore(last)
  const dayAt = (index: number) => end - (days.length - 1 - index)
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
  const queue = roundsOf(random, competition, standingOf(seed, competition, back)).flat()
  const lastDay = new Map<number, number>()
  const days: Slotted[][] = []
  for (let day = 0; queue.length > 0; day++) {
    const games = takeDay(queue, gamesOn(competition, day), (team, rest) => {
      const last = lastDay.get(team)
      return last === undefined || day - last >= rest
    })
    for (const { home, away } of games) lastDay.set(home, day).set(away, day)
    days.push(slotted(games))
  }
  return days
}

const standingOf = (seed: string, competition: Competition, back: number): number[] =>
  Array.from({ length: competition.conferences.length * competition.teamsInConference }, (_, team) => {
    const { offense, defense } = strengthOf(seed, competition, team, back)
    return offense + defense
  })

function gamesOn({ week, daysPlayed, rest }: Competition, day: number) {
  const fromAnchor = (((day - daysPlayed) % week.length) + week.length) % week.length
  return { count: week[fromAnchor] ?? 0, rest }
}

/**
 * Takes the next games between rested teams from the queue. If the day is not full then, also games between
 * teams that are free.
 */
function takeDay(
  queue: Pairing[],
  { count, rest }: { count: number; rest: number },
  isRested: (team: number, rest: number) => boolean,
): Pairing[] {
  const busy = new Set<number>()
  const games: Pairing[] = []
  for (const least of [rest, rest - 1])
    for (let at = 0; at < queue.length && games.length < count;) {
      const game = queue[at]
      if (!game || [game.home, game.away].some((team) => busy.has(team) || !isRested(team, least))) {
        at++
        continue
      }
      queue.splice(at, 1)
      games.push(game)
      busy.add(game.home).add(game.away)
    }
  return games
}

/** The number of a day's games that begin in the afternoon. */
const AFTERNOON = 0.78

/** Most of a day's games begin in the afternoon, so that they are over when the others begin. */
function slotted(games: readonly Pairing[]): Slotted[] {
  const early = Math.round(games.length * AFTERNOON)
  return games.map((pairing, at) => ({
    pairing,
    minute:
      at < early
        ? between(OPENS, DUSK, at, early)
        : between(EVENING, CLOSES, at - early, games.length - early),
  }))
}

/** The start of the nth of several games that are spread evenly. */
const between = (first: number, last: number, nth: number, count: number): number =>
  first + Math.round(((last - first) * nth) / Math.max(1, count - 1) / QUARTER) * QUARTER
