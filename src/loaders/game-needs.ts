import type { GameNeed } from '../plan/games.ts'
import type { Selection } from '../plan/selection.ts'
import { gameSlots } from '../rows/game-slots.ts'
import type { Entry } from '../rows/entry.ts'
import { scoreColumns } from '../specification/operations.ts'
import type { Account } from '../account/account.ts'
import type { Moment } from '../rows/moment.ts'

const scores = new Set<string>(scoreColumns)

/** The columns that a selection needs of a game's row: those that a score entry has, and the others. */
interface Split {
  readonly scores: readonly string[]
  readonly others: readonly string[]
}

const splits = new WeakMap<Selection, Split>()

function splitOf(selection: Selection): Split {
  let split = splits.get(selection)
  if (!split) {
    const columns = [...selection.columns]
    split = {
      scores: columns.filter((name) => scores.has(name)),
      others: columns.filter((name) => !scores.has(name)),
    }
    splits.set(selection, split)
  }
  return split
}

/** Whether everything that a query needs of a game is known. */
export function has(
  account: Account,
  game: Entry,
  need: GameNeed,
  selection: Selection,
  now: Moment,
): boolean {
  switch (need) {
    case 'list':
      return true
    case 'score':
      return game.knows(splitOf(selection).scores, now)
    case 'columns':
      return game.knows(splitOf(selection).others, now)
    case 'prediction':
      return gameSlots.prediction.read(game, now) !== undefined
    case 'current':
      return hasCurrentOdds(game, now)
    case 'teams':
      return (
        hasTeam(account, game, 'home_team', 'home_team_id', selection, now) &&
        hasTeam(account, game, 'away_team', 'away_team_id', selection, now)
      )
  }
}

/** Whether a game's current odds are known, or that it has none. */
export const hasCurrentOdds = (game: Entry, now: Moment): boolean =>
  gameSlots.pre.read(game, now) !== undefined && gameSlots.live.read(game, now) !== undefined

/**
 * If the team's key is known, reading the team itself is cheaper than the schedule. Only its conference comes
 * with a day's games alone.
 */
function hasTeam(
  account: Account,
  game: Entry,
  side: 'home_team' | 'away_team',
  keyColumn: string,
  selection: Selection,
  now: Moment,
): boolean {
  const wanted = selection.links.get(side)
  if (!wanted) return true
  const key = game.column(keyColumn, now)
  if (key === undefined) return false
  if (key === null || !wanted.relations.has('conference')) return true
  return account.rows.entry('team', String(key)).column('conference_id', now) !== undefined
}
