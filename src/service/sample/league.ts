import type { Row } from '../../specification/tables.ts'
import type { Ratings } from '../numbers/elo.ts'
import { playBasketball } from './basketball.ts'
import { midnight } from './calendar.ts'
import type { Day } from './calendar.ts'
import type { Competition } from './competitions.ts'
import { playFootball } from './football.ts'
import { sampleId } from './ids.ts'
import { between, pick, randomOf } from './random.ts'
import type { Random } from './random.ts'
import { peopleOf } from './rosters.ts'
import type { People, Roster } from './rosters.ts'
import { scheduleOf } from './schedule.ts'
import type { Fixture } from './schedule.ts'
import { basketballSkills, footballSkills } from './skills.ts'
import { conferencesOf, openingOf, strengthOf, teamsOf } from './teams.ts'
import type { Strength } from './teams.ts'
import type { Side, Timeline } from './timeline.ts'
import { networks } from './words.ts'

/**
 * A game of the sample league, with everything that is fixed before its start. Its timeline has what happens.
 */
export interface SampleGame {
  readonly id: string
  readonly competition: Competition
  readonly seed: string
  /** Identifies the game independently of its date. */
  readonly key: string
  readonly season: number
  readonly fixture: Fixture
  readonly network: string | null
  readonly attendance: number
  readonly teams: Readonly<Record<Side, SampleSide>>
}

export interface SampleSide {
  readonly team_id: string
  readonly roster: Roster
  readonly strength: Strength
}

/** One sport of the sample league, a pure function of its seed and its anchor day. */
export interface SampleLeague {
  readonly competition: Competition
  readonly seed: string
  readonly anchor: Day
  readonly seasons: readonly number[]
  readonly conferences: readonly Row<'conference'>[]
  readonly teams: readonly Row<'team'>[]
  readonly people: People
  /** The ratings that the season before the first one has left. */
  readonly opening: Ratings
  /** By start. */
  readonly games: readonly SampleGame[]
  /** Milliseconds since 1970: the end of the day on which the last game is played. */
  readonly endsAt: number
}

/** The league whose current season includes the anchor day. */
export function sampleLeague(seed: string, competition: Competition, anchor: Day): SampleLeague {
  const schedules = Array.from({ length: competition.seasons }, (_, nth) =>
    scheduleOf(seed, competition, anchor, competition.seasons - 1 - nth),
  )
  const seasons = schedules.map(({ season }) => season)
  const teams = teamsOf(seed, competition)
  const people = peopleOf(seed, competition, teams, seasons)
  const games = schedules.flatMap(({ season, back, fixtures }, nth) => {
    const sides = sidesOf(seed, competition, teams, people.seasons[nth]?.rosters ?? [], back)
    return fixtures.map((fixture) =>
      gameOf(seed, competition, `${back}/${fixture.ordinal}`, season, fixture, sides),
    )
  })
  const endsAt = midnight(Math.max(...games.map(({ fixture }) => fixture.day)) + 1)
  const conferences = conferencesOf(seed, competition)
  const opening = openingOf(seed, competition, teams)
  return { competition, seed, anchor, seasons, conferences, teams, people, opening, games, endsAt }
}

const sidesOf = (
  seed: string,
  competition: Competition,
  teams: readonly Row<'team'>[],
  rosters: readonly Roster[],
  back: number,
): SampleSide[] =>
  teams.map(({ team_id }, at) => ({
    team_id: team_id ?? '',
    roster: rosters[at] ?? [],
    strength: strengthOf(seed, competition, at, back),
  }))

function gameOf(
  seed: string,
  competition: Competition,
  ordinal: string,
  season: number,
  fixture: Fixture,
  sides: readonly SampleSide[],
): SampleGame {
  const key = `${competition.sport}/${ordinal}`
  const random = randomOf(seed, key, 'occasion')
  const [home, away] = [sides[fixture.home], sides[fixture.away]]
  if (!home || !away) throw new RangeError('a fixture is between teams of the competition')
  const attendance = Math.round(competition.seats * (between(random, 35, 100) / 100))
  const network = pick(random, [...networks, null, null])
  const id = sampleId('game', key, seed)
  return { id, competition, seed, key, season, fixture, network, attendance, teams: { home, away } }
}

/** The timeline of a game, from its key alone. */
export function timelineOf(game: SampleGame): Timeline {
  const random = randomOf(game.seed, game.key, 'timeline', game.competition.draw)
  const { home, away } = game.teams
  const { neutral } = game.fixture
  return game.competition.sport === 'basketball'
    ? playBasketball(
        random,
        { home: squad(game, home, basketballSkills), away: squad(game, away, basketballSkills) },
        neutral,
      )
    : playFootball(
        random,
        { home: squad(game, home, footballSkills), away: squad(game, away, footballSkills) },
        neutral,
      )
}

/** A side with its players' skills: by position, and by their place in the line for it. */
function squad<S>(
  { seed, competition }: SampleGame,
  { roster, strength }: SampleSide,
  skillsOf: (random: Random, position: string, depth: number) => S,
) {
  const inOrder = competition.sport === 'basketball'
  const depthOf = (at: number) =>
    inOrder ? at : roster.slice(0, at).filter((other) => other.position === roster[at]?.position).length
  const players = roster.map(({ ordinal, position }, at) =>
    skillsOf(randomOf(seed, competition.sport, 'skills', ordinal), position, depthOf(at)),
  )
  return { ...strength, players }
}
