import { scoreColumns } from '../specification/operations.ts'
import { cheapest } from './cover.ts'
import type { Supplier } from './cover.ts'
import type { Selection } from './selection.ts'

/** The needs of a list of games, distinguished as far as operations differ. */
export type GameNeed = 'list' | 'score' | 'columns' | 'teams' | 'prediction' | 'current'

/** `readGames` and `readOdds` take known ids, `readSeason` a season and a team. */
export type GameOperation = 'getGames' | 'getScores' | 'readGames' | 'readSeason' | 'readOdds'

/** The size of each operation's answer for this list, in bytes. */
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

/** The cheapest set of operations for a list's needs. All of them can be called in parallel. */
export function planGames(needs: ReadonlySet<GameNeed>, sizes: GameSizes): readonly GameOperation[] {
  const suppliers: (Supplier<GameNeed> & { readonly name: GameOperation })[] = []
  for (const name of operations) {
    const bytes = sizes[name]
    if (bytes !== undefined) suppliers.push({ name, supplies: supplies[name], bytes })
  }
  return cheapest(needs, suppliers).map(({ name }) => name)
}
