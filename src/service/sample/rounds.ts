import { chance, shuffled } from './random.ts'
import type { Random } from './random.ts'
import type { Competition } from './competitions.ts'

/** Two teams that meet, by their index in the competition. */
export interface Pairing {
  readonly home: number
  readonly away: number
  readonly conference: boolean
  readonly neutral: boolean
}

/** One game for every team. */
export type Round = readonly Pairing[]

/** Each team's strength in points a game above the average. */
export type Standing = readonly number[]

/** A season's rounds: games between the conferences first, then those within them. */
export function roundsOf(random: Random, competition: Competition, standing: Standing): Round[] {
  const rounds =
    competition.sport === 'basketball'
      ? [...betweenFour(random, competition, standing), ...withinTwice(random, competition)]
      : [...betweenThree(random, competition, standing), ...within(random, competition)]
  return rounds.map((round) => shuffled(random, round))
}

/** The circle method: `count - 1` rounds in which all teams meet once. */
function roundRobin(count: number): [number, number][][] {
  const circle = Array.from({ length: count - 1 }, (_, at) => at)
  return circle.map((round) => {
    const seat = (at: number) => (round + at) % (count - 1)
    const pairs = circle.slice(1, count / 2).map((at): [number, number] => [seat(at), seat(count - 1 - at)])
    return pairs.concat([round % 2 === 0 ? [count - 1, round] : [round, count - 1]])
  })
}

function within(random: Random, { conferences, teamsInConference }: Competition): Round[] {
  const rounds = roundRobin(teamsInConference).map((pairs) =>
    conferences.flatMap((_, conference) =>
      pairs.map(([home, away]) => ({
        home: conference * teamsInConference + home,
        away: conference * teamsInConference + away,
        conference: true,
        neutral: false,
      })),
    ),
  )
  return shuffled(random, rounds)
}

function withinTwice(random: Random, competition: Competition): Round[] {
  const first = within(random, competition)
  const second = first.map((round) => round.map((game) => ({ ...game, home: game.away, away: game.home })))
  return [...first, ...shuffled(random, second)]
}

const pairings = [
  [0, 1, 2, 3],
  [0, 2, 1, 3],
  [0, 3, 1, 2],
] as const

/** Ten rounds between four conferences, two by two; no two teams meet twice. */
function betweenFour(
  random: Random,
  { teamsInConference, invites }: Competition,
  standing: Standing,
): Round[] {
  const indices = Array.from({ length: teamsInConference }, (_, at) => at)
  return indices.map((round) => {
    const [one, two, three, four] = pairings[round % 3] ?? pairings[0]
    return [[one, two] as const, [three, four] as const].flatMap(([left, right]) =>
      indices.map((at) =>
        meeting(
          random,
          left * teamsInConference + at,
          right * teamsInConference + ((at + round) % teamsInConference),
          standing,
          invites,
        ),
      ),
    )
  })
}

/** Five rounds between three conferences: the first half of each meets the second half of the next. */
function betweenThree(
  random: Random,
  { conferences, teamsInConference, invites }: Competition,
  standing: Standing,
): Round[] {
  const half = teamsInConference / 2
  return Array.from({ length: half + 1 }, (_, round) => {
    const [upper, lower] = round < half ? [0, half] : [half, 0]
    return conferences.flatMap((_, conference) =>
      Array.from({ length: half }, (_, at) => {
        const next = ((conference + 1) % conferences.length) * teamsInConference
        return meeting(
          random,
          conference * teamsInConference + upper + at,
          next + lower + ((at + round) % half),
          standing,
          invites,
        )
      }),
    )
  })
}

function meeting(random: Random, one: number, other: number, standing: Standing, invites: number): Pairing {
  const [better, worse] = (standing[one] ?? 0) >= (standing[other] ?? 0) ? [one, other] : [other, one]
  const [home, away] = chance(random, invites) ? [better, worse] : [worse, better]
  return { home, away, conference: false, neutral: chance(random, 0.12) }
}
