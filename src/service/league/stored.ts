import type { Kysely } from 'kysely'
import { faded } from '../numbers/elo.ts'
import type { Ratings } from '../numbers/elo.ts'
import type { Appearance } from '../numbers/players.ts'
import type { EloRule, LeagueRules, Sport } from '../numbers/rules.ts'
import type { Schema } from '../store/schema.ts'
import type { LeagueKey, SeasonKey } from './league-key.ts'
import type { Line } from './facts.ts'
import { byTime } from './fixtures.ts'
import type { RankingScope } from './rankings.ts'
import type { SeasonFacts } from './seasons.ts'
import { storedSpreads } from './spreads.ts'
import { yieldToOthers } from './yield-to-others.ts'

type Db = Kysely<Schema>

/** The stored facts of a season. */
export async function storedSeason(db: Db, key: SeasonKey, rules: LeagueRules): Promise<SeasonFacts> {
  const games = await db
    .selectFrom('game')
    .selectAll()
    .where('organization_id', '=', key.organization_id)
    .where('division_id', '=', key.division_id)
    .where('season', '=', key.season)
    .where('deleted', '=', 0)
    .execute()
  const boxes = await db
    .selectFrom('boxscore')
    .select(['game_id', 'team_id', 'line'])
    .where('deleted', '=', 0)
    .where('organization_id', '=', key.organization_id)
    .where('division_id', '=', key.division_id)
    .where('season', '=', key.season)
    .execute()
  return {
    rules,
    season: key.season,
    memberships: await storedMemberships(db, key),
    games: games.toSorted(byTime),
    boxscores: boxes.map(({ game_id, team_id, line }) => ({ game_id, team_id, line: lineOf(line) })),
    spreads: await storedSpreads(db, key),
  }
}

const storedMemberships = (db: Db, key: SeasonKey) =>
  db
    .selectFrom('membership')
    .selectAll()
    .where('organization_id', '=', key.organization_id)
    .where('division_id', '=', key.division_id)
    .where('season', '=', key.season)
    .orderBy('team_id')
    .execute()

const lineOf = (text: string) => JSON.parse(text) as Line // written by this service

/** A version that changes when the league is published or a game of the season is settled. */
export async function stateOf(db: Db, key: SeasonKey): Promise<string> {
  const league = await db
    .selectFrom('league')
    .select('published_at')
    .where('organization_id', '=', key.organization_id)
    .where('division_id', '=', key.division_id)
    .executeTakeFirst()
  const { ratings } = await db
    .selectFrom('elo')
    .select((build) => build.fn.countAll().as('ratings'))
    .where('organization_id', '=', key.organization_id)
    .where('division_id', '=', key.division_id)
    .where('season', '=', key.season)
    .executeTakeFirstOrThrow()
  return `${league?.published_at} ${ratings}`
}

/** The subjects of a season's statistics. */
export async function storedScope(db: Db, key: SeasonKey, sport: Sport): Promise<RankingScope> {
  const memberships = await storedMemberships(db, key)
  const latest = await latestSeason(db, key)
  const coaches = await db
    .selectFrom('coach_season')
    .selectAll()
    .where('season', '=', key.season)
    .where('team_id', 'in', teamsOf(db, key, key.season))
    .orderBy('coach_id')
    .execute()
  const roster = await storedRoster(db, key, key.season)
  const active = latest === key.season ? roster : await storedRoster(db, key, latest)
  return { ...key, sport, memberships, coaches, roster, active: new Set(active.keys()) }
}

/** The latest season with teams of the league. */
export async function latestSeason(db: Db, league: LeagueKey): Promise<number> {
  const row = await db
    .selectFrom('membership')
    .select((build) => build.fn.max('season').as('season'))
    .where('organization_id', '=', league.organization_id)
    .where('division_id', '=', league.division_id)
    .executeTakeFirst()
  return Number(row?.season ?? 0)
}

const teamsOf = (db: Db, league: LeagueKey, season: number) =>
  db
    .selectFrom('membership')
    .select('team_id')
    .where('organization_id', '=', league.organization_id)
    .where('division_id', '=', league.division_id)
    .where('season', '=', season)

export async function storedRoster(db: Db, league: LeagueKey, season: number): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('player_team_season')
    .select(['player_id', 'team_id'])
    .where('season', '=', season)
    .where('team_id', 'in', teamsOf(db, league, season))
    .where('deleted', '=', 0)
    .orderBy('player_team_season_id')
    .execute()
  return new Map(rows.map((row) => [row.player_id ?? '', row.team_id ?? '']))
}

export interface StoredAppearance extends Appearance {
  readonly season: number
}

/** Games whose boxscores are read in one statement: a few hundred rows, some milliseconds. */
const gamesAStatement = 16

/** The players’ boxscores of finished games, a few games at a time: of one season or of all, up to a day. */
export async function* storedAppearances(
  db: Db,
  league: LeagueKey & { readonly season?: number },
  through = '9999-12-31',
): AsyncGenerator<StoredAppearance[]> {
  const games = await finishedGames(db, league, through)
  const ids = [...games.keys()]
  for (let next = 0; next < ids.length; next += gamesAStatement) {
    const rows = await db
      .selectFrom('player_boxscore')
      .select(['player_id', 'game_id', 'line'])
      .where('game_id', 'in', ids.slice(next, next + gamesAStatement))
      .execute()
    yield rows.map(({ player_id, game_id, line }) => ({
      player_id: player_id ?? '',
      season: games.get(game_id ?? '') ?? 0,
      line: lineOf(line),
    }))
    await yieldToOthers()
  }
}

/** The seasons of finished games, by game. */
async function finishedGames(
  db: Db,
  league: LeagueKey & { readonly season?: number },
  through: string,
): Promise<Map<string, number>> {
  let query = db
    .selectFrom('game')
    .select(['game_id', 'season'])
    .where('organization_id', '=', league.organization_id)
    .where('division_id', '=', league.division_id)
    .where('status', '=', 'final')
    .where('start_date', '<=', `${through}T23:59:59.999Z`)
  if (league.season !== undefined) query = query.where('season', '=', league.season)
  const rows = await query.execute()
  return new Map(rows.map((row) => [row.game_id ?? '', row.season ?? 0]))
}

/**
 * What teams bring into a season: the last rating of each from an earlier season, faded for the years in
 * between. The season itself takes its own share of it.
 */
export async function ratingsBefore(db: Db, key: SeasonKey, rule: EloRule): Promise<Ratings> {
  const rows = await db
    .selectFrom('elo')
    .select(['team_id', 'elo', 'season'])
    .where('organization_id', '=', key.organization_id)
    .where('division_id', '=', key.division_id)
    .where('season', '<', key.season)
    .where('current', '=', 1)
    .orderBy('season')
    .execute()
  const last = (row: (typeof rows)[number]) =>
    faded(row.elo ?? 0, rule, key.season - 1 - (row.season ?? key.season - 1))
  return new Map(rows.map((row) => [row.team_id ?? '', { rating: last(row), games: 0 }]))
}

/** The predictions of a season's games before they began. */
export async function storedForecasts(
  db: Db,
  key: SeasonKey,
): Promise<Map<string, { home_percentage: number }>> {
  const rows = await db
    .selectFrom('prediction')
    .innerJoin('game', 'game.game_id', 'prediction.game_id')
    .select(['prediction.game_id', 'prediction.home_percentage'])
    .where('game.organization_id', '=', key.organization_id)
    .where('game.division_id', '=', key.division_id)
    .where('game.season', '=', key.season)
    .where('prediction.live', '=', 0)
    .where('prediction.current', '=', 1)
    .execute()
  return new Map(rows.map((row) => [row.game_id ?? '', { home_percentage: row.home_percentage ?? 0.5 }]))
}
