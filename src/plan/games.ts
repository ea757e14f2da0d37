import { scoreColumns } from '../specification/operations.ts'
import { cheapest } from './cover.ts'
import type { Supplier } from './cover.ts'
import { isWorthRoundTrip } from './round-trip.ts'
import type { Selection } from './selection.ts'

/** The needs of a list of games, distinguished as far as operations differ. */
export type GameNeed = 'list' | 'score' | 'columns' | 'teams' | 'prediction' | 'current'

/** `readGames` and `readOdds` take known ids, `readSeason` a season and a team. */
export type GameOperation = 'getGames' | 'getScores' | 'readGames' | 'readSeason' | 'readOdds'

/** The size of each operation's answer for this list, in bytes. */
export interface GameSizes extends Readonly<Partial<Record<GameOperation, number>>> {
  /** The size of the games' rows if they are read once the list has come; missing if that may not be. */
  readonly readLater?: number
  /** Decides whether that round trip is worth it. */
  readonly bytesPerToken?: number
}

/** What each operation brings of a list’s games. */
export const supplies: Readonly<Record<GameOperation, ReadonlySet<GameNeed>>> = {
  getGames: new Set(['list', 'score', 'columns', 'teams']),
  getScores: new Set(['list', 'score', 'prediction', 'current']),
  readGames: new Set(['score', 'columns']),
  readSeason: new Set(['list', 'score', 'columns']),
  readOdds: new Set(['current']),
}

const operations = ['getScores', 'getGames', 'readGames', 'readSeason', 'readOdds'] as const

const scores = new Set<string>(scoreColumns)

/**
 * The needs of a list of games. If the odds' history is selected, current odds are not a need of the list:
 * `odds/read` brings both once the games are known. Only the games of a day bring the teams' conferences.
 */
export function gameNeeds(selection: Selection): ReadonlySet<GameNeed> {
  const needs = new Set<GameNeed>(['list'])
  for (const column of selection.columns) {
    if (column === 'game_id') continue
    needs.add(scores.has(column) ? 'score' : 'columns')
  }
  for (const side of ['home_team', 'away_team']) if (wantsTeam(selection.links.get(side))) needs.add('teams')
  if (selection.relations.has('prediction')) needs.add('prediction')
  if (selection.relations.has('current') && !selection.relations.has('history')) needs.add('current')
  return needs
}

const wantsTeam = (team: Selection | undefined) =>
  team !== undefined &&
  (team.relations.has('conference') || [...team.columns].some((column) => column !== 'team_id'))

/** Links to the rows that scores bring, and to teams. */
const brought = new Set([
  'pre',
  'live',
  'closing',
  'prediction',
  'lineResult',
  'predictionEdge',
  'home_team',
  'away_team',
])

/**
 * Whether the operations of a list bring all that a query needs of its games. Otherwise nobody knows the bytes
 * of the query, nor whether one more round trip is worth it.
 */
export function isListAlone({ relations, links }: Selection): boolean {
  for (const relation of relations) if (relation !== 'prediction' && relation !== 'current') return false
  for (const [name, below] of links)
    if (!brought.has(name) || below.relations.size > 0 || below.links.size > 0) return false
  return true
}

/**
 * The cheapest set of operations for a list's needs, called in parallel. Columns that it does not bring are read
 * by id once the list has come, which takes one more round trip.
 */
export function planGames(needs: ReadonlySet<GameNeed>, sizes: GameSizes): readonly GameOperation[] {
  const suppliers: GameSupplier[] = []
  for (const name of operations) {
    const bytes = sizes[name]
    if (bytes !== undefined) suppliers.push({ name, supplies: supplies[name], bytes })
  }
  const atOnce = cheapest(needs, suppliers)
  const { readLater, bytesPerToken = 0 } = sizes
  if (readLater === undefined || !needs.has('columns') || needs.has('teams')) return namesOf(atOnce)
  const others = new Set<GameNeed>([...needs].filter((need) => need !== 'columns'))
  const first = cheapest(others, suppliers)
  const bytes = bytesOf(atOnce)
  const saved = bytes - bytesOf(first) - readLater
  return namesOf(isWorthRoundTrip(saved, bytes, bytesPerToken) ? first : atOnce)
}

interface GameSupplier extends Supplier<GameNeed> {
  readonly name: GameOperation
}

const namesOf = (chosen: readonly GameSupplier[]) => chosen.map(({ name }) => name)

const bytesOf = (chosen: readonly GameSupplier[]) => chosen.reduce((sum, { bytes }) => sum + bytes, 0)
