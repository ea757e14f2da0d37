import type { Row } from '../../specification/tables.ts'
import type { CoachSeason } from '../league/facts.ts'
import type { Competition } from './competitions.ts'
import { sampleId } from './ids.ts'
import { coachRow, drafted, newPlayer, numbered } from './players.ts'
import type { SamplePlayer } from './players.ts'
import { chance, randomOf, shuffled } from './random.ts'

/** A team's players in one season, in the order of the competition's positions: the best of each first. */
export type Roster = readonly SamplePlayer[]

/** The players and coaches of each team, season by season. */
export interface People {
  readonly seasons: readonly { readonly season: number; readonly rosters: readonly Roster[] }[]
  /** Former players, as they are today. */
  readonly gone: readonly SamplePlayer[]
  readonly transfers: readonly Row<'cbb_transfer_player_season'>[]
  readonly coaches: readonly Row<'coach'>[]
  readonly coachSeasons: readonly CoachSeason[]
}

type Teams = readonly Row<'team'>[]

/** A free place in a team. */
interface Vacancy {
  readonly team: number
  readonly slot: number
}

const LEAVE = 3
const TRANSFER = 24
const UNDECIDED = 12
const DRAFTED = 40

/** The people of a competition in its seasons, oldest first. */
export function peopleOf(
  seed: string,
  competition: Competition,
  teams: Teams,
  seasons: readonly number[],
): People {
  const [first, second] = seasons
  const rosters = firstRosters(seed, competition, teams)
  const coaching = coachesOf(seed, competition, teams, seasons)
  if (first === undefined) throw new RangeError('a competition has at least one season')
  if (second === undefined)
    return { seasons: [{ season: first, rosters }], gone: [], transfers: [], ...coaching }
  const summer = new Summer(seed, competition, teams, rosters, second)
  return { ...summer.people(first), ...coaching }
}

function firstRosters(seed: string, competition: Competition, teams: Teams): Roster[] {
  const { positions } = competition
  return teams.map(({ name }, team) =>
    numbered(
      positions.map((position, slot) =>
        newPlayer(seed, competition, team * positions.length + slot, position, name ?? ''),
      ),
    ),
  )
}

/** The changes between two seasons: players leave, some for another team, and new ones come. */
class Summer {
  readonly #seed: string
  readonly #competition: Competition
  readonly #teams: Teams
  readonly #before: readonly Roster[]
  readonly #season: number
  readonly #vacancies: readonly Vacancy[]

  constructor(
    seed: string,
    competition: Competition,
    teams: Teams,
    before: readonly Roster[],
    season: number,
  ) {
    this.#seed = seed
    this.#competition = competition
    this.#teams = teams
    this.#before = before
    this.#season = season
    const random = randomOf(seed, competition.sport, 'summer')
    const vacancies = before.flatMap((roster, team) =>
      shuffled(random, [...roster.keys()])
        .slice(0, LEAVE)
        .map((slot) => ({ team, slot })),
    )
    this.#vacancies = shuffled(random, vacancies)
  }

  people(first: number): Pick<People, 'seasons' | 'gone' | 'transfers'> {
    return {
      seasons: [
        { season: first, rosters: this.#before },
        { season: this.#season, rosters: this.#rosters() },
      ],
      gone: this.#gone(),
      transfers: this.#transfers(),
    }
  }

  #playerAt = ({ team, slot }: Vacancy): SamplePlayer => {
    const player = this.#before[team]?.[slot]
    if (!player) throw new RangeError('a vacancy is a place of a roster')
    return player
  }

  #moved = () => this.#vacancies.slice(0, TRANSFER)

  /** The place of the nth player who changes teams: that of the next player from another team. */
  #destination(nth: number): Vacancy {
    const moved = this.#moved()
    const next = moved[(nth + 1) % moved.length]
    if (!next) throw new RangeError('No player is left to change teams.')
    return next
  }

  #rosters(): Roster[] {
    const arrivals = new Map(this.#moved().map((from, nth) => [keyOf(this.#destination(nth)), from]))
    const newcomers = new Map(this.#vacancies.map((vacancy, nth) => [keyOf(vacancy), nth]))
    return this.#before.map((roster, team) =>
      numbered(
        roster.map((player, slot) => {
          const arrival = arrivals.get(keyOf({ team, slot }))
          if (arrival) return this.#playerAt(arrival)
          const newcomer = newcomers.get(keyOf({ team, slot }))
          return newcomer === undefined ? player : this.#newcomer(newcomer, team, player.position)
        }),
      ),
    )
  }

  #newcomer(nth: number, team: number, position: string): SamplePlayer {
    const ordinal = this.#before.flat().length + nth
    return newPlayer(this.#seed, this.#competition, ordinal, position, this.#teams[team]?.name ?? '')
  }

  #gone(): SamplePlayer[] {
    return this.#vacancies.slice(TRANSFER).map((vacancy, nth) => {
      const player = this.#playerAt(vacancy)
      const pickNumber = nth - UNDECIDED + 1
      return pickNumber >= 1 && pickNumber <= DRAFTED ? drafted(player, this.#season - 1, pickNumber) : player
    })
  }

  /** Transfers are known of basketball alone (specification §2). */
  #transfers(): Row<'cbb_transfer_player_season'>[] {
    if (this.#competition.sport !== 'basketball') return []
    return this.#vacancies
      .slice(0, TRANSFER + UNDECIDED)
      .map((vacancy, nth) =>
        this.#transfer(
          vacancy,
          nth < TRANSFER ? (this.#teams[this.#destination(nth).team]?.team_id ?? null) : null,
        ),
      )
  }

  #transfer(vacancy: Vacancy, committed_team_id: string | null): Row<'cbb_transfer_player_season'> {
    const player = this.#playerAt(vacancy)
    const id = sampleId('transfer', `${this.#competition.sport}/${player.ordinal}`, this.#seed)
    return {
      cbb_transfer_player_season_id: id,
      player_id: player.row.player_id,
      season: this.#season,
      committed_team_id,
      committed: committed_team_id ? 1 : 0,
      guid: id,
      deleted: 0,
    }
  }
}

const keyOf = ({ team, slot }: Vacancy) => `${team}/${slot}`

/** One coach a team; between two seasons some teams take a new one. */
function coachesOf(
  seed: string,
  competition: Competition,
  teams: Teams,
  seasons: readonly number[],
): Pick<People, 'coaches' | 'coachSeasons'> {
  const random = randomOf(seed, competition.sport, 'coaches')
  const coaches = new Map<number, Row<'coach'>>()
  const coachSeasons = teams.flatMap(({ team_id }, team) =>
    seasons.map((season, nth) => {
      const ordinal = nth > 0 && chance(random, 0.15) ? nth * teams.length + team : team
      const coach = coaches.get(ordinal) ?? coachRow(seed, competition, ordinal)
      coaches.set(ordinal, coach)
      return { coach_id: coach.coach_id ?? '', team_id: team_id ?? '', season }
    }),
  )
  return { coaches: [...coaches.values()], coachSeasons }
}
