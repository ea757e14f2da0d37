import type { Kysely } from 'kysely'
import { isOn } from '../league/fixtures.ts'
import { unplayedRows } from '../league/unplayed-season.ts'
import { projectStandings } from '../numbers/projection.ts'
import type { Standing, Unplayed } from '../numbers/projection.ts'
import type { Schema } from '../store/schema.ts'
import { Refusal } from '../refusal.ts'
import { predictionsOf } from './joins.ts'
import { keyedText, nothing, rowTexts } from './json.ts'
import type { Arguments, Context, Operation, OperationClass, Values } from './operation.ts'
import { isIn, nullsFirst, selectRows, shown } from './selection.ts'
import type { Found } from './selection.ts'
import { table } from './table.ts'

/** Each team's current row; with an active subscription, with projected records (specification §4, §5). */
const getConferencePrediction: Operation = {
  accepts: { organization_id: 'key', conference_id: 'key', season: 'integer' },
  requires: ['organization_id', 'conference_id', 'season'],
  async answer(context, given) {
    const entries: (readonly [string, string])[] = []
    for (const season of given.get('season') ?? []) {
      const rows = await currentRows(context, given, season)
      if (rows.length === 0) await refuseWithout(context, given, season)
      const texts = await rowTexts(context, 'statistic_ranking', rows)
      const teams = rows.map((row, nth): Entry => ({
        id: String(row['statistic_ranking_id']),
        row: parsed(texts[nth]),
      }))
      const standings = context.plan.active ? await project(context.db, teams, season) : undefined
      for (const { id, row } of teams) {
        const changed = { ...row, ...standings?.get(String(row['team_id'])), hasAccess: context.plan.active }
        entries.push([id, JSON.stringify(changed)])
      }
    }
    return keyedText(entries)
  },
}

/** A league without conferences has nothing to project; the error says how to change that. */
async function refuseWithout({ db }: Context, given: Arguments, season: string | number): Promise<void> {
  const members = await db
    .selectFrom('membership')
    .innerJoin('organization', 'organization.organization_id', 'membership.organization_id')
    .select(['organization.name', (build) => build.fn.count('membership.conference_id').as('placed')])
    .where(isIn('membership.organization_id', given.get('organization_id') ?? []))
    .where(isIn('season', [season]))
    .groupBy('organization.name')
    .execute()
  const without = members.find((row) => Number(row.placed) === 0)
  if (without)
    throw new Refusal(
      'no_conferences',
      `${without.name} ${season} has no conferences, so there is nothing to project. Import it with a file of conferences.`,
    )
}

interface Entry {
  readonly id: string
  readonly row: Found
}

const parsed = (text = nothing) => JSON.parse(text) as Found // the text of a row

/** The current statistics of every team of the conference that season; before its first game, empty ones. */
async function currentRows(context: Context, given: Arguments, season: string | number): Promise<Found[]> {
  const organizations: Values = given.get('organization_id') ?? []
  const members = await context.db
    .selectFrom('membership')
    .select(['team_id', 'organization_id', 'division_id', 'season'])
    .where(isIn('conference_id', given.get('conference_id') ?? []))
    .where(isIn('organization_id', organizations))
    .where(isIn('season', [season]))
    .execute()
  const teams = new Set(members.map((member) => member.team_id))
  const filters: Arguments = new Map<string, Values>([
    ['team_id', [...teams]],
    ['organization_id', organizations],
    ['season', [season]],
    ['current', [1]],
    ['deleted', [0]],
  ])
  const rows = await selectRows(context, 'statistic_ranking', filters)
  if (rows.length > 0) return rows
  const leagues = new Map(
    members.map((member) => [`${member.organization_id} ${member.division_id}`, member]),
  )
  for (const key of leagues.values())
    for (const row of await unplayedRows(context.db, key))
      if (teams.has(row.team_id ?? '')) rows.push(shown('statistic_ranking', row))
  return rows
}

async function project(db: Kysely<Schema>, teams: readonly Entry[], season: string | number) {
  const records = new Map(teams.map(({ row }) => [String(row['team_id']), record(row)]))
  return projectStandings(records, await unplayed(db, [...records.keys()], season))
}

const record = (row: Found): Standing => ({
  wins: Number(row['wins'] ?? 0),
  losses: Number(row['losses'] ?? 0),
  confwins: Number(row['confwins'] ?? 0),
  conflosses: Number(row['conflosses'] ?? 0),
})

/** The unfinished games of these teams, each with its prediction, or an even one if the service has none. */
async function unplayed(
  db: Kysely<Schema>,
  teams: readonly string[],
  season: string | number,
): Promise<Unplayed[]> {
  const games = await db
    .selectFrom('game')
    .select(['game_id', 'home_team_id', 'away_team_id', 'is_conf_game', 'status'])
    .where(isIn('season', [season]))
    .where((on) => on.or([isIn('home_team_id', teams), isIn('away_team_id', teams)]))
    .where('deleted', '=', 0)
    .orderBy('start_datetime', nullsFirst)
    .orderBy('game_id')
    .execute()
  const open = games.filter((game) => game.status !== 'final' && isOn(game))
  const predictions = await predictionsOf(
    db,
    open.map((game) => String(game.game_id)),
  )
  return open.map((game) => ({
    home_team_id: String(game.home_team_id),
    away_team_id: String(game.away_team_id),
    conference: game.is_conf_game === 1,
    home_percentage: predictions.get(game.game_id)?.home_percentage ?? 0.5,
  }))
}

export const conference: OperationClass = { ...table('conference'), getConferencePrediction }
