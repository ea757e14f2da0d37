import { scoreColumns } from '../specification/operations.ts'
import { cheapest } from './cover.ts'
import type { Supplier } from './cover.ts'
import type { Selection } from './selection.ts'

/** What a list of games may need of the service, as far as operations differ in supplying it. */
export type GameNeed = 'list' | 'score' | 'columns' | 'teams' | 'prediction' | 'current'

/** `readGames` and `readOdds` by ids that are known, `readSeason` by season and team. */
export type GameOperation = 'getGames' | 'getScores' | 'readGames' | 'readSeason' | 'readOdds'

/** Bytes that each operation would answer with for the list at hand. */
export type GameSizes = Readonly<Partial<Record<GameOperation, number>>>

const supplies: Readonly<Record<GameOperation, ReadonlySet<GameNeed>>> = {
  getGames: new Set(['list', 'score', 'columns', 'teams']),
  getScores: new Set(['list', 'score', 'prediction', 'current']),
  readGames: new Set(['score', 'columns']),
  readSeason: new Set(['list', 'score', 'columns']),
  readOdds: new Set(['current']),
}

const operations = ['getScores', 'getGames', 'readGames', 'readSeason', 'readOdds'] as const

const scores = new Set<string>(scoreColumns)

/**
 * The needs of a list of games. Current odds are no need of the list where the query wants their history too:
 * `odds/read` brings both, once the games are known. The teams' conferences come with the games of a day
 * alone.
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

/** The cheapest operations for what a list of games needs, all of which can be called side by side. */
export function planGames(needs: ReadonlySet<GameNeed>, sizes: GameSizes): readonly GameOperation[] {
  const suppliers: (Supplier<GameNeed> & { readonly name: GameOperation })[] = []
  for (const name of operations) {
    const bytes = sizes[name]
    if (bytes !== undefined) suppliers.push({ name, supplies: supplies[name], bytes })
  }
  return cheapest(needs, suppliers).map(({ name }) => name)
}
