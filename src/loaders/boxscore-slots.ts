import type { Scope } from '../graph/scope.ts'
import type { Freshness } from '../rows/freshness.ts'
import { slots } from '../rows/slot.ts'
import { isSet, textOf } from '../rows/values.ts'
import { several } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import type { Arguments } from '../specification/operation.ts'
import type { RowCache } from '../rows/row-cache.ts'
import { grouped } from '../groups.ts'
import type { Brought, Fill } from '../account/fill.ts'
import { sidesBrought, sidesOf, teamsOf } from './sides.ts'
import type { Keys } from '../rows/slot.ts'

/** Where the keys of boxscores are stored: with their game for each side, and with a team for a season. */

/** The keys of a game's boxscores: of one team, or of both without a team. */
export const gameBoxscores = slots<Keys, string | null>({
  name: 'boxscores',
  keyOf: (team) => team ?? 'both',
  // They expire with the game. Numbers that are not final may change after its end.
  freshness(cache, _team, game, keys, boughtAt): Freshness {
    const isFinal = (key: string) => isSet(cache.rows.entry('boxscore', key).column('final', boughtAt - 1))
    const state = cache.game(game.key)
    return keys.every(isFinal) ? state : state.unsettled
  },
  lists: () => 'boxscore',
})

/** The keys of a team's boxscores in a season. */
export const seasonBoxscores = slots<Keys, Scope>({
  name: 'season boxscores',
  keyOf: ({ organization_id, season }) => `${organization_id} ${season}`,
  freshness: ({ fresh }, { organization_id, season }) => fresh.ofSeason(organization_id, season),
  lists: () => 'boxscore',
})

/** A boxscore's key, and whose it is. */
export interface BoxscoreLine {
  readonly key: string
  readonly game: string
  readonly team: string
}

/** The game and the team of each boxscore. */
export function boxscoreLines(account: RowCache, keys: Keys): BoxscoreLine[] {
  return keys.map((key) => {
    const entry = account.rows.entry('boxscore', key)
    // Ids do not expire, so any time will do.
    return { key, game: textOf(entry.column('game_id', 0)), team: textOf(entry.column('team_id', 0)) }
  })
}

/**
 * Stores the sides of a game for which an answer has rows, or which were requested; both, if no team was
 * named.
 */
export function keepSides(
  account: RowCache,
  game: string,
  own: readonly BoxscoreLine[],
  { team_id }: Arguments,
  boughtAt: number,
): void {
  const entry = account.rows.entry('game', game)
  const put = (team: string | null, lines: readonly BoxscoreLine[]) =>
    gameBoxscores(team).put(
      account,
      entry,
      lines.map(({ key }) => key),
      boughtAt,
    )
  for (const team of sidesOf(entry, own, team_id ?? teamsOf(entry)))
    put(
      team,
      own.filter((line) => line.team === team),
    )
  if (team_id === undefined) put(null, own)
}

/** The boxscores of games that are read: of the teams that the call names, or of both. */
export const boxscoresBrought = (account: RowCache, values: Arguments): readonly Brought[] =>
  sidesBrought(account, values, gameBoxscores)

export const boxscoreFill: Fill = (account, answer) => {
  const { operation, arguments: values, keys, boughtAt } = answer
  const found = boxscoreLines(account, keys)
  const { organization_id, season, game_id, team_id = [] } = values
  const byGame = grouped(found, ({ game }) => game)
  if (game_id === undefined) {
    const slot = seasonBoxscores({ organization_id: String(organization_id), season: Number(season) })
    const byTeam = grouped(found, ({ team }) => team)
    for (const team of several(team_id).map(String)) {
      const own = byTeam.get(team) ?? []
      slot.put(
        account,
        account.rows.entry('team', team),
        own.map(({ key }) => key),
        boughtAt,
      )
    }
  }
  // A team's season contains its side of each game.
  const games = game_id === undefined ? [...byGame.keys()] : several(game_id).map(String)
  for (const game of games) {
    const own = byGame.get(game) ?? []
    // A game without boxscores may belong to another organization.
    const isOurs =
      operation === operations.getBoxscore ||
      account.rows.entry('game', game).column('organization_id', 0) === organization_id
    const isPart = game_id === undefined || (operation === operations.getBoxscore && !values['team_id'])
    const sides = isPart ? { team_id: own.map(({ team }) => team) } : values
    if (own.length > 0 || isOurs) keepSides(account, game, own, sides, boughtAt)
  }
}
