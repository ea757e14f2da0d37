import { Loader } from '../loading/loader.ts'
import { byGroup, requestsOf } from '../loading/ask-groups.ts'
import type { Asks } from '../loading/ask-groups.ts'
import type { Ask, Calls, Wanted } from '../loading/ask.ts'
import type { Scope } from '../graph/scope.ts'
import { planBoxscores } from '../plan/boxscores.ts'
import type { BoxscoreCall } from '../plan/boxscores.ts'
import { call } from '../calls/call.ts'
import { allDone } from '../groups.ts'
import { argumentsOf, nameOf } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import type { Arguments } from '../specification/operation.ts'
import { loadColumns } from '../loading/row-loader.ts'
import type { Account } from '../account/account.ts'
import { boxscoreLines, keepSides } from './boxscore-slots.ts'
import { seasonRevalidation } from './season-revalidation.ts'
import { teamsOf } from './sides.ts'
import type { Keys } from '../rows/slot.ts'

/** The boxscores to load: of a game, for both teams or one; or of a team's season if no game is given. */
interface BoxscoresWanted extends Wanted {
  readonly game: string | null
  readonly team: string | null
  readonly scope: Scope & { readonly organization_id: string }
  /**
   * Whether the organization is a guess, that of the scope or the default one, because the game's row is not
   * known.
   */
  readonly isAssumed: boolean
}

/**
 * Loads team boxscores: one call for all games with both sides, as few calls as possible for games with one
 * side, and one call for seasons.
 */
export const boxscores = new Loader<BoxscoresWanted, Keys>('boxscores', plan, {
  revalidation: seasonRevalidation(({ game, scope }) => (game === null ? scope : {})),
  rows: 'boxscore',
})

/** Without read access, one call for each side of a game. */
function plan(account: Account, asks: readonly Ask<BoxscoresWanted>[]): Calls {
  const isRefused = account.refusals.has(nameOf(operations.readBoxscore))
  const wanted = asks.map((ask) => ask.wanted)
  const plans = new Map<string, readonly BoxscoreCall[]>()
  for (const { scope } of wanted)
    if (!plans.has(scope.organization_id))
      plans.set(scope.organization_id, planBoxscores(pairs(account, wanted, scope.organization_id)))
  const callOf = ({ game, scope }: BoxscoresWanted) =>
    plans.get(scope.organization_id)?.findIndex(({ games }) => game !== null && games.has(game)) ?? -1
  return byGroup(
    asks,
    (one) => {
      const { what, game, scope } = one
      if (isRefused && game !== null) return `alone ${what}`
      return `${scope.organization_id} ${game === null ? `season ${scope.season}` : callOf(one)}`
    },
    (group) => {
      const [{ wanted: first }] = group
      if (isRefused && first.game !== null) return oneByOne(account, group, first.game)
      const planned = plans.get(first.scope.organization_id)?.[callOf(first)]
      return planned ? ofGames(account, group, planned.teams) : ofSeasons(account, group)
    },
  )
}

const pairs = (account: Account, wanted: readonly BoxscoresWanted[], organization: string) =>
  wanted.flatMap(({ game, team, scope }) =>
    game === null || scope.organization_id !== organization
      ? []
      : [{ game, team, opponent: opponentOf(account, game, team) }],
  )

const opponentOf = (account: Account, game: string, team: string | null) =>
  team === null ? null : (teamsOf(account.rows.entry('game', game)).find((other) => other !== team) ?? null)

const read = (account: Account, asks: Asks<BoxscoresWanted>, values: Arguments) =>
  call(account, {
    operation: operations.readBoxscore,
    arguments: values,
    requests: requestsOf(asks),
    field: asks[0].field,
  })

const unique = (values: readonly (string | null)[]) => [...new Set(values.filter((value) => value !== null))]

function ofSeasons(account: Account, asks: Asks<BoxscoresWanted>): Promise<unknown> {
  const { organization_id, season } = asks[0].wanted.scope
  const teams = unique(asks.map(({ wanted }) => wanted.team))
  return read(account, asks, argumentsOf({ organization_id, team_id: teams, season }))
}

/** One call for several games, or for some of their teams. */
async function ofGames(
  account: Account,
  asks: Asks<BoxscoresWanted>,
  teams: ReadonlySet<string>,
): Promise<void> {
  const { organization_id } = asks[0].wanted.scope
  const games = unique(asks.map(({ wanted }) => wanted.game))
  const values = { organization_id, game_id: games, ...(teams.size > 0 && { team_id: [...teams] }) }
  const { keys, boughtAt } = await read(account, asks, values)
  const there = new Set(boxscoreLines(account, keys).map(({ game }) => game))
  const bare = games.filter((game) => !there.has(game))
  const moved = await readElsewhere(account, asks, bare)
  for (const game of bare) if (!moved.has(game)) keepSides(account, game, [], values, boughtAt)
}

/**
 * Games whose row is unknown were assumed to be of the league in scope. If nothing was found for one, its row
 * is read, and its boxscores are read again in the right league. Returns the games for which that was done.
 */
async function readElsewhere(
  account: Account,
  asks: Asks<BoxscoresWanted>,
  bare: readonly string[],
): Promise<ReadonlySet<string>> {
  const assumed = asks.flatMap((ask) => {
    const { game, isAssumed } = ask.wanted
    return isAssumed && game !== null && bare.includes(game) ? [{ ask, game }] : []
  })
  await allDone(
    assumed.map(({ ask: { request, field }, game }) =>
      loadColumns(request, 'game', game, ['organization_id'], field),
    ),
  )
  const moved = assumed.flatMap(({ ask, game }) => {
    const organization_id = account.rows.entry('game', game).column('organization_id', 0)
    const { scope } = ask.wanted
    if (typeof organization_id !== 'string' || organization_id === scope.organization_id) return []
    return [{ ...ask, wanted: { ...ask.wanted, scope: { ...scope, organization_id }, isAssumed: false } }]
  })
  await allDone(plan(account, moved))
  return new Set(moved.map(({ wanted }) => wanted.game ?? ''))
}

/** One call for each side of a game. The game's row names the teams. */
async function oneByOne(account: Account, asks: Asks<BoxscoresWanted>, game: string): Promise<void> {
  const [{ request, field, wanted }] = asks
  const { team, scope } = wanted
  const entry = account.rows.entry('game', game)
  if (team === null) await loadColumns(request, 'game', game, ['away_team_id', 'home_team_id'], field)
  const own = entry.column('organization_id', 0)
  const organization_id = typeof own === 'string' ? own : scope.organization_id
  await allDone(
    (team === null ? teamsOf(entry) : [team]).map((team_id) =>
      call(account, {
        operation: operations.getBoxscore,
        arguments: { organization_id, game_id: game, team_id },
        requests: requestsOf(asks),
        field,
      }),
    ),
  )
}
