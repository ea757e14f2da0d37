import type { Line } from '../numbers/line.ts'
import { difference } from '../numbers/tally.ts'
import type { SourceRow } from './source-row.ts'

const named = [
  'rushingAttempts',
  'rushingYards',
  'rushingTouchdowns',
  'longRushing',
  'receptions',
  'receivingYards',
  'receivingTouchdowns',
  'longReception',
  'fumbles',
  'fumblesLost',
  'fumblesRecovered',
  'kickReturns',
  'kickReturnYards',
  'longKickReturn',
  'kickReturnTouchdowns',
  'puntReturns',
  'puntReturnYards',
  'longPuntReturn',
  'puntReturnTouchdowns',
  'longFieldGoalMade',
  'punts',
  'puntYards',
  'longPunt',
  'interceptions',
  'interceptionYards',
  'interceptionTouchdowns',
  'totalTackles',
  'soloTackles',
  'sacks',
  'tacklesForLoss',
  'passesDefended',
  'hurries',
  'passingYards',
  'passingTouchdowns',
  'fieldGoalsMade/fieldGoalAttempts',
  'extraPointsMade/extraPointAttempts',
  'completions/passingAttempts',
] as const

const numbered = ['stat_1', 'stat_2', 'stat_4', 'stat_5'] as const

/** One row for each game, team, player and category, with the columns of its category alone. */
export const player_box = {
  name: 'player_box',
  columns: [
    'category',
    'athlete_id',
    'athlete_name',
    'jersey',
    'team_id',
    'game_id',
    'season',
    ...named,
    ...numbered,
  ],
  optional: ['athlete_name', 'jersey', 'season', ...named, ...numbered],
  season: 'season',
  unique: { columns: ['game_id', 'team_id', 'athlete_id', 'category'], second: 'left out' },
} as const

export type PlayerRow = SourceRow<(typeof player_box.columns)[number]>

type Category = (row: PlayerRow) => Line

const categories: Readonly<Record<string, Category>> = {
  passing: (row) => (row.text('completions/passingAttempts') === '' ? numberedPassing(row) : passing(row)),
  rushing: (row) => ({
    rushing_attempts: row.number('rushingAttempts'),
    rushing_yards: row.number('rushingYards'),
    rushing_touchdowns: row.number('rushingTouchdowns'),
    rushing_long: row.number('longRushing'),
  }),
  receiving: (row) => ({
    receptions: row.number('receptions'),
    receiving_yards: row.number('receivingYards'),
    receiving_touchdowns: row.number('receivingTouchdowns'),
    receiving_long: row.number('longReception'),
  }),
  fumbles: (row) => ({
    fumbles: row.number('fumbles'),
    fumbles_lost: row.number('fumblesLost'),
    fumbles_recovered: row.number('fumblesRecovered'),
  }),
  kickReturns: (row) => ({
    kick_returns: row.number('kickReturns'),
    kick_return_yards: row.number('kickReturnYards'),
    kick_return_touchdowns: row.number('kickReturnTouchdowns'),
    kick_return_long: row.number('longKickReturn'),
  }),
  puntReturns: (row) => ({
    punt_returns: row.number('puntReturns'),
    punt_return_yards: row.number('puntReturnYards'),
    punt_return_touchdowns: row.number('puntReturnTouchdowns'),
    punt_return_long: row.number('longPuntReturn'),
  }),
  kicking,
  punting: (row) => ({
    punts: row.number('punts'),
    punt_yards: row.number('puntYards'),
    punt_long: row.number('longPunt'),
  }),
  interceptions: (row) => ({
    interceptions: row.number('interceptions'),
    interception_return_yards: row.number('interceptionYards'),
    interception_return_touchdowns: row.number('interceptionTouchdowns'),
  }),
  defensive: (row) => ({
    solo_tackles: row.number('soloTackles'),
    assisted_tackles: difference(row.number('totalTackles'), row.number('soloTackles')),
    tackles_for_loss: row.number('tacklesForLoss'),
    sacks: row.number('sacks'),
    passes_defended: row.number('passesDefended'),
    quarterback_hurries: row.number('hurries'),
  }),
}

/** The row’s counts in the service’s columns; null for an unknown category. */
export function countsOf(row: PlayerRow): Line | null {
  const category = row.required('category')
  const read = Object.hasOwn(categories, category) ? categories[category] : undefined
  return read ? read(row) : null
}

function passing(row: PlayerRow): Line {
  const [completions, attempts] = row.pair('completions/passingAttempts')
  return {
    passing_attempts: attempts,
    passing_completions: completions,
    passing_yards: row.number('passingYards'),
    passing_touchdowns: row.number('passingTouchdowns'),
    passing_interceptions: row.number('interceptions'),
  }
}

/** Some passing rows have their values in `stat_1` to `stat_5` and leave the named columns empty. */
function numberedPassing(row: PlayerRow): Line {
  const [completions, attempts] = row.pair('stat_1')
  return {
    passing_attempts: attempts,
    passing_completions: completions,
    passing_yards: row.number('stat_2'),
    passing_touchdowns: row.number('stat_4'),
    passing_interceptions: row.number('stat_5'),
  }
}

export const isNumbered = (row: PlayerRow): boolean =>
  row.text('category') === 'passing' && row.text('completions/passingAttempts') === ''

/** Without a made field goal, the longest one is null, not 0 yards. */
function kicking(row: PlayerRow): Line {
  const [fieldGoals, fieldGoalTries] = row.pair('fieldGoalsMade/fieldGoalAttempts')
  const [extraPoints, extraPointTries] = row.pair('extraPointsMade/extraPointAttempts')
  return {
    field_goals_attempted: fieldGoalTries,
    field_goals_made: fieldGoals,
    field_goals_longest_made: fieldGoals ? row.number('longFieldGoalMade') : null,
    extra_points_attempted: extraPointTries,
    extra_points_made: extraPoints,
  }
}

/** Negative ids mean the team itself, for statistics of no single player. */
export const isPerson = ({ athlete_id }: { readonly athlete_id: string }): boolean =>
  !athlete_id.startsWith('-')
