import { keyIn, keysIn, rowsIn } from '../json.ts'
import type { Json } from '../json.ts'
import type { Asking } from '../naive/asking.ts'

/**
 * The subjects of queries: a league, a season, a day of it, and a game, team, player and coach of that day.
 */
export interface Subjects {
  readonly organization_id: string
  readonly division_id: string
  readonly season: number
  readonly day: string
  /** Seven days around the day. */
  readonly week: readonly string[]
  /** The games of the day. */
  readonly dayGames: readonly string[]
  readonly game: string
  /**
   * The number of movements of the game's line. Some sources have only the last line, which a plan cannot
   * know beforehand.
   */
  readonly movements: number
  readonly games: readonly string[]
  readonly team: string
  readonly teams: readonly string[]
  readonly player: string
  readonly players: readonly string[]
  readonly coach: string | null
  /** Null if the league’s source has none. */
  readonly conference: string | null
  readonly hasTransfers: boolean
  /** A statistic by which the league’s players are ranked; null if they have none. */
  readonly playerStatistic: string | null
  /** Search texts for the team and for the player. */
  readonly teamName: string
  readonly playerName: string
}

export interface LeagueIds {
  readonly organization_id: string
  readonly division_id: string
}

/**
 * Chooses subjects from the service's rows. `day` is by default the league's busiest with fewer than sixty
 * games.
 */
export async function subjectsOf(asking: Asking, league: LeagueIds, givenDay?: string): Promise<Subjects> {
  const season = await latestSeason(asking, league)
  const all = rowsIn(await asking.once('game/read', { ...league, season }))
  const day = givenDay ?? busiest(all)
  const played = all.filter((game) => game['boxscore'] === 1 && game['status'] === 'final')
  const game = played.find((one) => dayOf(one) === day)
  if (!game) throw new Error(`No game of ${day} has a boxscore.`)
  const [home, away] = [keyIn(game, 'home_team_id'), keyIn(game, 'away_team_id')]
  const { teams } = (await asking.once('game/getGames', { ...league, start_date: day }))[
    keyIn(game, 'game_id')
  ] as { teams: Record<string, Json> } // a game with its teams
  const roster = await asking.once('team/getPlayers', {
    organization_id: league.organization_id,
    team_id: home,
    season,
  })
  const lines = rowsIn(
    await asking.once('player_boxscore/read', { game_id: keyIn(game, 'game_id'), team_id: home }),
  )
  const players = [...keysIn(lines, 'player_id'), ...Object.keys(roster)]
  const [player = ''] = players
  const coaches = rowsIn(await asking.once('ranking/download', { ...league, season, type: 'coach' }))
  const ranking = { ...league, season, type: 'player' }
  // The service refuses a division with too many players.
  const ranked = await asking.once('ranking/download', ranking).catch(() => ({}))
  return {
    ...league,
    season,
    day,
    playerStatistic: statisticIn(rowsIn(ranked)[0] ?? {}),
    week: weekOf(day),
    dayGames: all.filter((one) => dayOf(one) === day).map((one) => keyIn(one, 'game_id')),
    movements: Object.keys(await asking.once('odds/read', { game_id: keyIn(game, 'game_id') })).length,
    game: keyIn(game, 'game_id'),
    games: played
      .filter((one) => keyIn(one, 'home_team_id') === home)
      .slice(-5)
      .map((one) => keyIn(one, 'game_id')),
    team: home,
    teams: [home, away],
    player,
    players: players.slice(0, 2),
    coach: coaches[0] ? keyIn(coaches[0], 'coach_id') : null,
    conference: keysIn([teams[home] ?? {}], 'conference_id')[0] ?? null,
    hasTransfers: Object.keys(await asking.once('cbb_transfer_player_season/read', { season })).length > 0,
    teamName: keyIn(teams[home] ?? {}, 'name').slice(0, 4),
    playerName: keyIn(
      (await asking.once('player/read', { player_id: player }))[player] as Json,
      'last_name',
    ).slice(0, 3),
  }
}

/** Points a game if the sport has them, else the first ranked statistic. */
function statisticIn(row: Json): string | null {
  const names = Object.keys(row).filter((name) => typeof row[`${name}_rank`] === 'number')
  return names.find((name) => name === 'points_per_game') ?? names[0] ?? null
}

const dayOf = (game: Json) => keyIn(game, 'start_date').slice(0, 10)

async function latestSeason(asking: Asking, league: LeagueIds): Promise<number> {
  const ratings = rowsIn(await asking.once('elo/read', { ...league, current: 1 }))
  return Math.max(...ratings.map((row) => Number(row['season'])))
}

function busiest(games: readonly Json[]): string {
  const counts = new Map<string, number>()
  for (const game of games) counts.set(dayOf(game), (counts.get(dayOf(game)) ?? 0) + 1)
  const days = [...counts].filter(([, count]) => count < 60)
  const [best] = days.toSorted(([a, more], [b, less]) => less - more || (a < b ? -1 : 1))
  if (!best) throw new Error('The season has no games.')
  return best[0]
}

const weekOf = (day: string) =>
  [-3, -2, -1, 0, 1, 2, 3].map((shift) =>
    new Date(Date.parse(day) + shift * 86_400_000).toISOString().slice(0, 10),
  )
