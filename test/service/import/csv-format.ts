import type { Facts } from '../../../src/service/league/facts.ts'

type Cell = string | number | null | undefined

const text = (cell: Cell) => {
  const plain = cell === null || cell === undefined ? '' : String(cell)
  return /[",\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

const csv = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [columns, ...rows].map((row) => `${row.map(text).join(',')}\n`).join('')

const name = (row: { first_name: string | null; last_name: string | null }) =>
  `${row.first_name ?? ''} ${row.last_name ?? ''}`.trim()

/** The id of a game in its source: the end of its guid. */
export const sourceId = (guid: string | null) => guid?.split('/').at(-1) ?? ''

/**
 * A season’s facts as files of the service’s own format: games under their source’s ids, other rows under the
 * ids that they have.
 */
export function ownFormat(
  facts: Facts,
  appearances: ReadonlyMap<string, number> = new Map(),
): Record<string, string> {
  const memberships = new Map(facts.memberships.map((row) => [row.team_id, row.conference_id]))
  const conferences = new Map(facts.conferences.map((row) => [row.conference_id, row.name]))
  const people = new Map(facts.players.map((row) => [row.player_id, row]))
  const games = new Map(facts.games.map((row) => [row.game_id, sourceId(row.guid)]))
  const columns = Object.keys(facts.boxscores[0]?.line ?? {})
  const playerColumns = Object.keys(facts.playerBoxscores[0]?.line ?? {})
  return {
    teams: csv(
      [
        'team_id',
        'name',
        'full_name',
        'abbreviation',
        'conference',
        'primary_color',
        'secondary_color',
        'member',
      ],
      facts.teams.map((row) => [
        row.team_id,
        row.name,
        row.alt_name,
        row.char6,
        conferences.get(memberships.get(row.team_id ?? '') ?? ''),
        row.primary_color,
        row.secondary_color,
        String(memberships.has(row.team_id ?? '')),
      ]),
    ),
    games: csv(
      [
        'game_id',
        'season',
        'date',
        'home_team_id',
        'away_team_id',
        'home_score',
        'away_score',
        'status',
        'neutral_site',
        'conference_game',
        'attendance',
        'network',
      ],
      facts.games.map((row) => [
        sourceId(row.guid),
        row.season,
        row.start_datetime ?? row.start_date?.slice(0, 10),
        row.home_team_id,
        row.away_team_id,
        row.home_score,
        row.away_score,
        row.status,
        row.neutral_site,
        row.is_conf_game,
        row.attendance,
        row.network,
      ]),
    ),
    players: csv(
      ['player_id', 'team_id', 'name', 'position', 'height', 'number', 'hometown', 'games'],
      facts.playerSeasons.map((row) => {
        const player = people.get(row.player_id)
        return [
          row.player_id,
          row.team_id,
          player && name(player),
          player?.position,
          player?.height,
          player?.number,
          player?.hometown,
          appearances.get(row.player_id ?? ''),
        ]
      }),
    ),
    team_boxscores: csv(
      ['game_id', 'team_id', ...columns],
      facts.boxscores.map((row) => [
        games.get(row.game_id),
        row.team_id,
        ...columns.map((column) => row.line[column]),
      ]),
    ),
    ...(facts.playerBoxscores.length > 0 && {
      player_boxscores: csv(
        ['game_id', 'team_id', 'player_id', 'name', ...playerColumns],
        facts.playerBoxscores.map((row) => [
          games.get(row.game_id),
          row.team_id,
          row.player_id,
          name(row),
          ...playerColumns.map((column) => row.line[column]),
        ]),
      ),
    }),
    odds: csv(
      ['game_id', 'date', 'spread_home', 'over', 'under', 'money_line_home', 'money_line_away'],
      facts.odds.map((row) => [
        games.get(row.game_id),
        row.date_of_entry,
        row.spread_home,
        row.over,
        row.under,
        row.money_line_home,
        row.money_line_away,
      ]),
    ),
  }
}
