import type { Row, StatisticClass, TableName } from '../../specification/tables.ts'
import type { FactName, FactRow } from '../league/facts.ts'
import type { OwnTables } from './own-tables.ts'
import type { SqlType } from './sql-types.ts'

/**
 * What happens to a row whose key is stored already:
 * - `refuse`: an error, because no other league or season has the row
 * - `replace`: the row that is published last counts
 * - `latest`: the row of the latest season counts, in any order of publication (`league/latest.ts`)
 */
export type Collision = 'refuse' | 'replace' | 'latest'

/**
 * When a row with the columns `C` is removed:
 * - `season`, `game`: with its league's season, with its game
 * - `player`, `team`: with its player's or its team's season
 * - `unused`: when no season needs it any more, by a rule of `league/clear.ts`
 * - `never`
 */
export type Clearing<C = string> =
  | ([League | 'season'] extends [C] ? 'season' : never)
  | (['game_id'] extends [C] ? 'game' : never)
  | (['player_id' | 'season'] extends [C] ? 'player' : never)
  | (['team_id' | 'season'] extends [C] ? 'team' : never)
  | 'unused'
  | 'never'

type League = 'organization_id' | 'division_id'

/** The facts with rows of this type. */
type FactsOf<R> = { [N in FactName]: FactRow<N> extends R ? N : never }[FactName]

/**
 * Where its rows come from, a list of facts or null for computed rows, when they go, and what happens to a key that is
 * stored already. Rows that stay when their league is published again would be refused.
 */
type Life<R, C> =
  | {
      readonly facts: FactsOf<R>
      readonly cleared: Clearing<C> & ('never' | 'unused')
      readonly collision: 'replace' | 'latest'
    }
  | {
      readonly facts: FactsOf<R>
      readonly cleared: Exclude<Clearing<C>, 'never' | 'unused'>
      readonly collision: Collision
    }
  | {
      readonly facts: null
      readonly cleared: Clearing<C> & ('season' | 'game')
      readonly collision: Collision
    }

/** A table of the specification, which has its columns. */
type ServedTable<T extends TableName> = Life<
  Row<T>,
  keyof Row<T> | (T extends StatisticClass ? League : never)
> & {
  /** The column that orders the rows of an answer; of several, the key decides. */
  readonly order: keyof Row<T>
  /** The columns with names, if search finds its rows. They are stored in `folded`, too. */
  readonly names?: readonly (keyof Row<T>)[]
  /** If its rows have a sport's part, which is JSON in `line`: the column with the part's key, if there is one. */
  readonly sport?: { readonly key: keyof Row<T> | null }
  /** Columns that it can be filtered by and that are not in answers (specification §2). */
  readonly hidden?: readonly League[]
  /** Columns that another table stores. */
  readonly elsewhere?: readonly (keyof Row<T>)[]
}

/** A table that no operation serves. */
interface OwnTable<R> {
  /** The list of facts that has its rows; null if the service makes them. */
  readonly facts: FactsOf<R> | null
  readonly collision: Collision
  readonly cleared: Clearing<keyof R>
  readonly columns: { readonly [C in keyof R]: SqlType }
}

export type Tables = { readonly [T in TableName]: ServedTable<T> } & {
  readonly [T in keyof OwnTables]: OwnTable<OwnTables[T]>
}

const ranking = { facts: null, collision: 'refuse', cleared: 'season', order: 'date_of_rank' } as const

/**
 * One record for each table: where its rows come from, how they are stored, and when they go. If a part is
 * missing, it does not compile. Facts are written in this order.
 */
export const storedTables = {
  organization: { facts: 'organization', collision: 'replace', cleared: 'never', order: 'organization_id' },
  division: { facts: 'division', collision: 'replace', cleared: 'never', order: 'division_id' },
  conference: { facts: 'conferences', collision: 'latest', cleared: 'unused', order: 'name' },
  team: {
    facts: 'teams',
    collision: 'latest',
    cleared: 'unused',
    order: 'name',
    names: ['name', 'code', 'alt_name'],
    // A team's conference is that of its membership in each season.
    elsewhere: ['conference_id'],
  },
  membership: {
    facts: 'memberships',
    collision: 'refuse',
    cleared: 'season',
    columns: {
      team_id: 'text',
      organization_id: 'text',
      division_id: 'text',
      season: 'bigint',
      conference_id: 'text',
    },
  },
  player: {
    facts: 'players',
    collision: 'latest',
    cleared: 'unused',
    order: 'last_name',
    names: ['first_name', 'last_name'],
  },
  player_team_season: { facts: 'playerSeasons', collision: 'refuse', cleared: 'team', order: 'season' },
  coach: {
    facts: 'coaches',
    collision: 'latest',
    cleared: 'unused',
    order: 'last_name',
    names: ['first_name', 'last_name'],
  },
  coach_season: {
    facts: 'coachSeasons',
    collision: 'refuse',
    cleared: 'team',
    columns: { coach_id: 'text', team_id: 'text', season: 'bigint' },
  },
  cbb_transfer_player_season: {
    facts: 'transfers',
    collision: 'replace',
    cleared: 'player',
    order: 'season',
  },
  game: { facts: 'games', collision: 'refuse', cleared: 'season', order: 'start_datetime' },
  odds: { facts: 'odds', collision: 'refuse', cleared: 'game', order: 'date_of_entry' },
  boxscore: {
    facts: 'boxscores',
    collision: 'refuse',
    cleared: 'season',
    order: 'boxscore_id',
    sport: { key: 'sport_boxscore_id' },
  },
  player_boxscore: {
    facts: 'playerBoxscores',
    collision: 'refuse',
    cleared: 'season',
    order: 'player_boxscore_id',
    sport: { key: 'sport_player_boxscore_id' },
  },
  prediction: { facts: null, collision: 'refuse', cleared: 'game', order: 'date_of_entry' },
  elo: { facts: null, collision: 'refuse', cleared: 'season', order: 'date_of_entry' },
  statistic_ranking: { ...ranking, sport: { key: null }, hidden: ['organization_id', 'division_id'] },
  player_statistic_ranking: { ...ranking, sport: { key: 'sport_player_statistic_id' } },
  coach_statistic_ranking: { ...ranking, sport: { key: null } },
  conference_statistic_ranking: { ...ranking, sport: { key: null } },
  league_statistic_ranking: { ...ranking, sport: { key: null } },
  conference_player_statistic_ranking: { ...ranking, sport: { key: null } },
  league_player_statistic_ranking: { ...ranking, sport: { key: null } },
  league: {
    facts: null,
    collision: 'refuse',
    cleared: 'never',
    columns: {
      organization_id: 'text',
      division_id: 'text',
      sport: 'text',
      source: 'text',
      fingerprint: 'text',
      published_at: 'text',
    },
  },
  ranked_day: {
    facts: null,
    collision: 'refuse',
    cleared: 'season',
    columns: {
      class: 'text',
      organization_id: 'text',
      division_id: 'text',
      season: 'bigint',
      day: 'text',
    },
  },
  name_part: {
    facts: null,
    collision: 'refuse',
    cleared: 'unused',
    columns: { kind: 'text', part: 'text', id: 'text' },
  },
  season_name: {
    facts: null,
    collision: 'refuse',
    cleared: 'season',
    columns: {
      kind: 'text',
      id: 'text',
      season: 'bigint',
      organization_id: 'text',
      division_id: 'text',
      facts: 'text',
    },
  },
  meta: { facts: null, collision: 'refuse', cleared: 'never', columns: { key: 'text', value: 'text' } },
} as const satisfies Tables
