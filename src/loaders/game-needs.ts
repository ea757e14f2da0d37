import type { GameNeed } from '../plan/games.ts'
import type { Selection } from '../plan/selection.ts'
import { gameSlots } from '../rows/game-slots.ts'
import type { Entry } from '../upstream/entry.ts'
import { scoreColumns } from '../specification/operations.ts'
import type { World } from '../upstream/world.ts'

const scores = new Set<string>(scoreColumns)

interface Split {
  readonly scores: readonly string[]
  readonly others: readonly string[]
}

const splits = new WeakMap<Selection, Split>()

/** The columns that are wanted, those of a score entry and the others apart. */
function splitOf(want: Selection): Split {
  let split = splits.get(want)
  if (!split) {
    const columns = [...want.columns]
    split = {
      scores: columns.filter((name) => scores.has(name)),
      others: columns.filter((name) => !scores.has(name)),
    }
    splits.set(want, split)
  }
  return split
}

/** Whether nothing has to be asked for what a query needs of a game. */
export function has(world: World, game: string, need: GameNeed, want: Selection, now: number): boolean {
  const entry = world.rows.entry('game', game)
  const knows = (columns: readonly string[]) => columns.every((name) => entry.column(name, now) !== undefined)
  switch (need) {
    case 'list':
      return true
    case 'score':
      return knows(splitOf(want).scores)
    case 'columns':
      return knows(splitOf(want).others)
    case 'prediction':
      return gameSlots.prediction.read(entry, now) !== undefined
    case 'current':
      return hasCurrentOdds(entry, now)
    case 'teams':
      return ['home_team', 'away_team'].every((side) => hasTeam(world, entry, side, want, now))
  }
}

/** Whether a game's current odds are at hand, or that it has none. */
export const hasCurrentOdds = (game: Entry, now: number): boolean =>
  gameSlots.pre.read(game, now) !== undefined && gameSlots.live.read(game, now) !== undefined

/** A team whose key is known needs no schedule: its own read is cheaper. Only its conference comes with a day alone. */
function hasTeam(world: World, game: Entry, side: string, want: Selection, now: number): boolean {
  const wanted = want.links.get(side)
  if (!wanted) return true
  const key = game.column(`${side}_id`, now)
  if (key === undefined) return false
  if (key === null || !wanted.facets.has('conference')) return true
  return world.rows.entry('team', String(key)).column('conference_id', now) !== undefined
}
