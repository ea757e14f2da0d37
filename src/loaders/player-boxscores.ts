import { Loader } from '../loading/loader.ts'
import { byGroup, requestsOf } from '../loading/ask-groups.ts'
import type { Asks } from '../loading/ask-groups.ts'
import type { Wanted } from '../loading/ask.ts'
import { planBoxscores } from '../plan/boxscores.ts'
import { slots } from '../rows/slot.ts'
import { call } from '../calls/call.ts'
import { grouped } from '../groups.ts'
import type { Brought, Fill } from '../account/fill.ts'
import type { RowCache } from '../rows/row-cache.ts'
import { several } from '../specification/operation.ts'
import type { Arguments } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import type { Account } from '../account/account.ts'
import { sidesBrought, sidesOf } from './sides.ts'
import { isSet, textOf } from '../rows/values.ts'
import type { Keys } from '../rows/slot.ts'

/** The player boxscores to load: of both sides, or of one team. Its opponent is included if known. */
interface PlayersWanted extends Wanted {
  readonly game: string
  readonly team: string | null
  readonly opponent: string | null
}

/**
 * The keys of a game's player boxscores: of one team, or of both without a team. Those of both are in the order of
 * the teams' ids, however they were bought: the rows do not tell who is at home.
 */
export const gamePlayers = slots<Keys, string | null>({
  name: 'player boxscores',
  keyOf: (team) => team ?? 'both',
  freshness(cache, _team, game, keys, boughtAt) {
    const isFinal = (key: string) =>
      isSet(cache.rows.entry('player_boxscore', key).column('final', boughtAt - 1))
    const state = cache.game(game.key)
    return keys.every(isFinal) ? state : state.unsettled
  },
  lists: () => 'player_boxscore',
})

/**
 * Loads player boxscores: one call for all games with both sides, as few calls as possible for games with one
 * side.
 */
export const playerBoxscores = new Loader<PlayersWanted, Keys>(
  'player boxscores',
  (account, asks) => {
    const calls = planBoxscores(asks.map(({ wanted }) => wanted))
    const callOf = ({ game }: PlayersWanted) => calls.findIndex(({ games }) => games.has(game))
    return byGroup(
      asks,
      (wanted) => String(callOf(wanted)),
      (group) => read(account, group, calls[callOf(group[0].wanted)]?.teams ?? new Set()),
    )
  },
  { rows: 'player_boxscore' },
)

function read(account: Account, asks: Asks<PlayersWanted>, teams: ReadonlySet<string>): Promise<unknown> {
  const games = [...new Set(asks.map(({ wanted }) => wanted.game))]
  return call(account, {
    operation: operations.readPlayerBoxscores,
    arguments: { game_id: games, ...(teams.size > 0 && { team_id: [...teams] }) },
    requests: requestsOf(asks),
    field: asks[0].field,
  })
}

/** The player boxscores of games that are read: of the teams that the call names, or of both. */
export const playersBrought = (account: RowCache, values: Arguments): readonly Brought[] =>
  sidesBrought(account, values, gamePlayers)

/** An answer contains both sides of its games, or those of the requested teams. */
export const playerBoxscoreFill: Fill = (account, { arguments: values, keys, boughtAt }) => {
  const rows = keys.map((key) => {
    const entry = account.rows.entry('player_boxscore', key)
    // Ids do not expire, so any time will do.
    return { key, game: textOf(entry.column('game_id', 0)), team: textOf(entry.column('team_id', 0)) }
  })
  const byGame = grouped(rows, ({ game }) => game)
  const { game_id = [], team_id } = values
  for (const game of several(game_id).map(String)) {
    const own = (byGame.get(game) ?? []).toSorted((a, b) => (a.team < b.team ? -1 : a.team > b.team ? 1 : 0))
    const entry = account.rows.entry('game', game)
    const sides = sidesOf(entry, own, team_id)
    for (const team of team_id === undefined ? [null, ...sides] : sides) {
      const those = own.filter((row) => team === null || row.team === team)
      gamePlayers(team).put(
        account,
        entry,
        those.map(({ key }) => key),
        boughtAt,
      )
    }
  }
}
