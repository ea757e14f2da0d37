import type { StatisticClass } from '../../specification/tables.ts'
import { Refusal } from '../refusal.ts'
import { inChunks } from './joins.ts'
import { needsDays, withDays } from './days.ts'
import { keyedText, nothing, rowTexts, rowsText } from './json.ts'
import type { Arguments, Context, Operation, OperationClass, Template, Values } from './operation.ts'
import { isIn, selectRows } from './selection.ts'
import type { Found } from './selection.ts'
import { standing } from './standing.ts'
import { rowsTemplate } from './template.ts'

const subjects = {
  team: 'statistic_ranking',
  player: 'player_statistic_ranking',
  coach: 'coach_statistic_ranking',
  conference: 'conference_statistic_ranking',
} as const

type Subject = (typeof subjects)[keyof typeof subjects]

const templates: Readonly<Record<Subject, Template>> = {
  statistic_ranking: rowsTemplate('statistic_ranking'),
  player_statistic_ranking: rowsTemplate('player_statistic_ranking'),
  coach_statistic_ranking: rowsTemplate('coach_statistic_ranking'),
  conference_statistic_ranking: rowsTemplate('conference_statistic_ranking'),
}

/** The statistics rows of a division for one subject, of the latest day or of `date_of_rank`, keyed by id. */
const download: Operation = {
  accepts: {
    organization_id: 'key',
    division_id: 'key',
    season: 'integer',
    type: 'text',
    date_of_rank: 'timestamp',
  },
  requires: ['organization_id', 'division_id', 'season', 'type'],
  needs: 'read',
  written(given) {
    const [type, ...more] = given.get('type') ?? []
    const table = more.length === 0 ? subjectOf(String(type)) : undefined
    if (!table || needsDays(table, given)) return undefined
    return { template: templates[table], filters: ofSeason(table, standing(rankingFilters(given))) }
  },
  async answer(context, given) {
    const [type, ...more] = given.get('type') ?? []
    const filters = standing(rankingFilters(given))
    if (more.length === 0 && type === 'transfer')
      return transfers(context, filters, given.get('season') ?? [])
    const table = more.length === 0 ? subjectOf(String(type)) : undefined
    if (!table)
      throw new Refusal(
        'invalid_argument',
        'Argument "type" takes team, player, coach, conference or transfer.',
      )
    await withDays(context, table, given)
    return rowsText(context, table, await selectRows(context, table, ofSeason(table, filters)))
  },
}

const isSubject = (type: string): type is keyof typeof subjects => Object.hasOwn(subjects, type)

const subjectOf = (type: string): Subject | undefined => (isSubject(type) ? subjects[type] : undefined)

function rankingFilters(given: Arguments): Arguments {
  const filters = new Map(given)
  filters.delete('type')
  return filters.has('date_of_rank') ? filters : filters.set('current', [1])
}

const ofSeason = (table: StatisticClass, filters: Arguments): Arguments =>
  table === 'player_statistic_ranking' ? new Map([...filters, ['career', [0]]]) : filters

/**
 * The season's transfers in the division, each with the player's statistics of that season if there are any.
 */
async function transfers(context: Context, filters: Arguments, season: Values): Promise<string> {
  const moves = await movesOf(context, filters, season)
  const statistics = await statisticsOf(
    context,
    filters,
    moves.map((move) => String(move['player_id'])),
  )
  return keyedText(
    moves.map((move) => {
      const merged = { ...move, ...statistics.get(String(move['player_id'])), ...move }
      return [String(move['cbb_transfer_player_season_id']), JSON.stringify(merged)]
    }),
  )
}

/** The season's transfers of players who were in the division. */
async function movesOf(context: Context, filters: Arguments, season: Values): Promise<Found[]> {
  const moving = new Map<string, Values>([
    ['season', season],
    ['deleted', [0]],
  ])
  const moves = await selectRows(context, 'cbb_transfer_player_season', moving)
  const rows = await inChunks(
    moves.map((move) => String(move['player_id'])),
    (players) =>
      context.db
        .selectFrom('player_team_season as played')
        .innerJoin('membership as member', (join) =>
          join.onRef('member.team_id', '=', 'played.team_id').onRef('member.season', '=', 'played.season'),
        )
        .select('played.player_id')
        .where(isIn('played.player_id', players))
        .where(isIn('member.organization_id', filters.get('organization_id') ?? []))
        .where(isIn('member.division_id', filters.get('division_id') ?? []))
        .execute(),
  )
  const known = new Set(rows.map((row) => row.player_id))
  return moves.filter((move) => known.has(String(move['player_id'])))
}

async function statisticsOf(context: Context, filters: Arguments, players: readonly string[]) {
  const table = 'player_statistic_ranking'
  await withDays(context, table, filters)
  const rows = await inChunks(players, (chunk) =>
    selectRows(context, table, new Map([...ofSeason(table, filters), ['player_id', chunk]])),
  )
  const texts = await rowTexts(context, table, rows)
  // A row's text is an object of its columns.
  return new Map(
    rows.map((row, nth) => [String(row['player_id']), JSON.parse(texts[nth] ?? nothing) as Found]),
  )
}

export const ranking: OperationClass = { download }
