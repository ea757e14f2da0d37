import type { Value } from '../../specification/columns.ts'
import { otherStatisticClasses } from '../../specification/tables.ts'
import type { StatisticClass } from '../../specification/tables.ts'
import { isPlayerClass, subjectOf } from '../numbers/classes.ts'
import { eligiblePlayers, eligibleTeams, everybody } from '../numbers/eligible.ts'
import type { Eligibility } from '../numbers/eligible.ts'
import type { Numbers } from '../numbers/formula.ts'
import { playerStatistics } from '../numbers/players.ts'
import { meanOf, rankedColumns, rankedLines, unrankedColumns } from '../numbers/ranked.ts'
import type { RankedColumn } from '../numbers/ranked.ts'
import { statisticNames } from '../numbers/sports.ts'
import type { Tally } from '../numbers/tally.ts'
import type { Schema } from '../store/schema.ts'
import type { CoachSeason, Membership, Sport } from './facts.ts'
import type { LeagueKey } from './league-key.ts'
import { identify } from './identity.ts'
import { collectYielding } from './yield-to-others.ts'

/** Classes with rows for the latest day alone; other days are computed on request. */
export const latestOnly = otherStatisticClasses

/** The subjects of a season's statistics. */
export interface RankingScope extends LeagueKey {
  readonly sport: Sport
  readonly season: number
  readonly memberships: readonly Membership[]
  readonly coaches: readonly CoachSeason[]
  /** Each player’s team. */
  readonly roster: ReadonlyMap<string, string>
  /** Players who are on a roster of the division’s latest season. */
  readonly active: ReadonlySet<string>
}

/** The input of a day’s rows: the teams' statistics, and the players' totals. */
export interface DayNumbers {
  readonly day: string
  readonly teams: ReadonlyMap<string, Numbers>
  readonly players: ReadonlyMap<string, Tally>
}

interface Subject {
  /** The columns that identify the subject. */
  readonly columns: Readonly<Record<string, Value>>
  readonly numbers: Numbers
}

/** The rows of a class for one day, ranked among each other; a division’s averages have no rank. */
export async function rankingRows<K extends StatisticClass>(
  kind: K,
  scope: RankingScope,
  numbers: DayNumbers,
  current: 0 | 1,
): Promise<Generator<Schema[K]>> {
  const subjects = subjectsOf(kind, scope, numbers)
  const columns = await collectYielding(columnsOf(kind, scope, subjects))
  return rowsOf(kind, scope, subjects, rankedLines(columns), numbers.day, current)
}

function columnsOf(
  kind: StatisticClass,
  scope: RankingScope,
  subjects: readonly Subject[],
): Generator<RankedColumn> {
  const names = statisticNames(scope.sport, kind)
  const numbers = subjects.map((subject) => subject.numbers)
  const [alone] = subjectOf(kind) === 'league' ? numbers : []
  return alone
    ? unrankedColumns(names, alone)
    : rankedColumns(names, numbers, eligible(kind, scope.sport, numbers))
}

/** Averages, such as a conference’s, are ranked without a minimum of games. */
function eligible(kind: StatisticClass, sport: Sport, numbers: readonly Numbers[]): Eligibility {
  const subject = subjectOf(kind)
  if (subject === 'player') return eligiblePlayers(sport, numbers)
  return subject === 'team' || subject === 'coach' ? eligibleTeams(numbers) : everybody
}

function* rowsOf<K extends StatisticClass>(
  kind: K,
  scope: RankingScope,
  subjects: readonly Subject[],
  lines: Iterable<string>,
  day: string,
  current: 0 | 1,
): Generator<Schema[K]> {
  let next = 0
  for (const line of lines) {
    const columns = subjects[next++]?.columns ?? {}
    yield rankingRow(kind, scope, { columns, line }, day, current)
  }
}

/** A row of a class in the database. */
export function rankingRow<K extends StatisticClass>(
  kind: K,
  scope: LeagueKey & { readonly season: number },
  { columns, line }: { columns: Subject['columns']; line: string },
  day: string,
  current: 0 | 1,
): Schema[K] {
  const { organization_id, division_id, season } = scope
  const subject = columns['player_id'] ?? Object.values(columns)[0] ?? ''
  const row = {
    [`${kind}_id`]: identify(
      kind,
      organization_id,
      division_id,
      season,
      subject,
      columns['career'] ?? 0,
      day,
    ),
    organization_id,
    division_id,
    season,
    date_of_rank: `${day}T00:00:00.000Z`,
    current,
    deleted: 0,
    ...columns,
    line,
  }
  // A row has the columns above and its subject's, which `subjectsOf` returns for this class. The compiler
  // cannot add them up for a generic class.
  return row as unknown as Schema[K]
}

function subjectsOf(kind: StatisticClass, scope: RankingScope, numbers: DayNumbers): Subject[] {
  if (isPlayerClass(kind)) return playerSubjects(kind, scope, numbers)
  const subject = subjectOf(kind)
  const teams = [...numbers.teams].map(([team_id, each]) => ({ columns: { team_id }, numbers: each }))
  if (subject === 'team') return teams
  if (subject === 'coach') return coachSubjects(scope, numbers)
  if (subject === 'league') return [{ columns: {}, numbers: average(teams) }]
  const conferences = conferencesOf(scope)
  return byConference(teams, (team) => conferences.get(team.columns.team_id))
}

function coachSubjects(scope: RankingScope, numbers: DayNumbers): Subject[] {
  return scope.coaches.flatMap(({ coach_id, team_id }) => {
    const team = numbers.teams.get(team_id)
    return team ? [{ columns: { coach_id }, numbers: team }] : []
  })
}

function playerSubjects(kind: StatisticClass, scope: RankingScope, numbers: DayNumbers): Subject[] {
  const players = [...scope.roster].map(([player_id, team_id]) => ({
    columns: playerColumns(scope, numbers.day, player_id, team_id),
    team_id,
    numbers: playerStatistics(scope.sport, numbers.players.get(player_id)),
  }))
  const subject = subjectOf(kind)
  if (subject === 'player') return players
  if (subject === 'league') return [{ columns: {}, numbers: average(players) }]
  const conferences = conferencesOf(scope)
  return byConference(players, (player) => conferences.get(player.team_id))
}

/** The columns that identify a player’s row: of one season, or without a team of the career. */
export const playerColumns = (
  scope: RankingScope,
  day: string,
  player_id: string,
  team_id: string | null,
) => {
  const career = team_id === null ? 1 : 0
  return {
    team_id,
    player_id,
    sport_player_statistic_id: identify('sport_player_statistic', scope.season, player_id, career, day),
    career,
    career_active: scope.active.has(player_id) ? 1 : 0,
  }
}

const conferencesOf = (scope: RankingScope) =>
  new Map(scope.memberships.map(({ team_id, conference_id }) => [team_id, conference_id]))

function byConference<S extends Subject>(
  subjects: readonly S[],
  conferenceOf: (subject: S) => string | null | undefined,
): Subject[] {
  const groups = new Map<string, S[]>()
  for (const subject of subjects) {
    const conference_id = conferenceOf(subject)
    if (!conference_id) continue
    const group = groups.get(conference_id)
    if (group) group.push(subject)
    else groups.set(conference_id, [subject])
  }
  return [...groups].map(([conference_id, group]) => ({
    columns: { conference_id },
    numbers: average(group),
  }))
}

const average = (subjects: readonly Subject[]): Numbers => meanOf(subjects.map((subject) => subject.numbers))
