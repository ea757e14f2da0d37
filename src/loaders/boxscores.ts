import { Loader } from '../graph/loader.ts'
import { byGroup, requestsOf } from '../graph/ask-groups.ts'
import type { Asks } from '../graph/ask-groups.ts'
import type { Ask, Split, Splits, Wanted } from '../graph/ask.ts'
import type { Scope } from '../graph/scope.ts'
import { planBoxscores } from '../plan/boxscores.ts'
import type { BoxscoreCall } from '../plan/boxscores.ts'
import type { Freshness } from '../rows/freshness.ts'
import { slots } from '../rows/slot.ts'
import { call } from '../upstream/call.ts'
import { AccessDeniedError } from '../upstream/errors.ts'
import { allDone, grouped } from '../upstream/groups.ts'
import { fills } from '../upstream/keep.ts'
import { argumentsOf, operations, several } from '../specification/operations.ts'
import type { Arguments } from '../specification/operations.ts'
import { loadColumns } from '../graph/row-loader.ts'
import type { Account } from '../upstream/account.ts'
import { seasonDoubt } from './season-doubt.ts'
import { sidesOf, teamsOf } from './sides.ts'
import { isSet, textOf } from '../rows/values.ts'

type Keys = readonly string[]

/** The boxscores to load: of a game, for both teams or one; or of a team's season if no game is given. */
interface BoxscoresWanted extends Wanted {
  readonly game: string | null
  readonly team: string | null
  readonly scope: Scope & { readonly organization_id: string }
  /**
   * Whether the organization is a guess, the default one, because neither the game's row nor the scope names
   * it.
   */
  readonly isAssumed: boolean
}

type Boxscores = Split<BoxscoresWanted, Keys>

/** The keys of a game's boxscores: of one team, or of both without a team. */
export const gameBoxscores = slots<Keys, string | null>({
  name: 'boxscores',
  keyOf: (team) => team ?? 'both',
  // They expire with the game. Numbers that are not final may change after its end.
  freshness(judge, _team, game, keys, boughtAt): Freshness {
    const isFinal = (key: string) => isSet(judge.rows.entry('boxscore', key).column('final', boughtAt - 1))
    const state = judge.game(game.key)
    return keys.every(isFinal) ? state : state.unsettled
  },
})

/** The keys of a team's boxscores in a season. */
export const seasonBoxscores = slots<Keys, Scope>({
  name: 'season boxscores',
  keyOf: ({ organization_id, season }) => `${organization_id} ${season}`,
  freshness: ({ fresh }, { organization_id, season }) => fresh.ofSeason(organization_id, season),
})

/**
 * Loads team boxscores: one call for all games with both sides, as few calls as possible for games with one
 * side, and one call for seasons.
 */
export const boxscores = new Loader<BoxscoresWanted, Keys>('boxscores', plan, {
  doubt: seasonDoubt(({ game, scope }) => (game === null ? scope : {})),
})

function plan(account: Account, asks: readonly Ask<BoxscoresWanted>[]): Splits<BoxscoresWanted, Keys> {
  const wanted = asks.map((ask) => ask.wanted)
  const plans = new Map<string, readonly BoxscoreCall[]>()
  for (const { scope } of wanted)
    if (!plans.has(scope.organization_id))
      plans.set(scope.organization_id, planBoxscores(pairs(account, wanted, scope.organization_id)))
  const callOf = ({ game, scope }: BoxscoresWanted) =>
    plans.get(scope.organization_id)?.findIndex(({ games }) => game !== null && games.has(game)) ?? -1
  return byGroup(
    asks,
    (one) => `${one.scope.organization_id} ${one.game === null ? `season ${one.scope.season}` : callOf(one)}`,
    (group) => {
      const [{ wanted: first }] = group
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

interface Line {
  readonly key: string
  readonly game: string
  readonly team: string
}

interface Lines {
  readonly found: readonly Line[]
  readonly boughtAt: number
}

async function read(account: Account, asks: Asks<BoxscoresWanted>, values: Arguments): Promise<Lines> {
  const { keys, boughtAt } = await call(account, {
    operation: operations.readBoxscore,
    arguments: values,
    requests: requestsOf(asks),
    field: asks[0].field,
  })
  return { found: lines(account, keys), boughtAt }
}

function lines(account: Account, keys: Keys): Line[] {
  return keys.map((key) => {
    const entry = account.rows.entry('boxscore', key)
    // Ids do not expire, so any time will do.
    return { key, game: textOf(entry.column('game_id', 0)), team: textOf(entry.column('team_id', 0)) }
  })
}

const unique = (values: readonly (string | null)[]) => [...new Set(values.filter((value) => value !== null))]

async function ofSeasons(account: Account, asks: Asks<BoxscoresWanted>): Promise<Boxscores> {
  const [{ wanted }] = asks
  const { organization_id, season } = wanted.scope
  const teams = unique(asks.map((ask) => ask.wanted.team))
  const values = argumentsOf({ organization_id, team_id: teams, season })
  const { found } = await read(account, asks, values)
  return ({ wanted: { team } }) => found.filter((line) => line.team === team).map(({ key }) => key)
}

/**
 * One call for several games, or for some of their teams. Without read access, one call for each side of a
 * game.
 */
async function ofGames(
  account: Account,
  asks: Asks<BoxscoresWanted>,
  teams: ReadonlySet<string>,
): Promise<Boxscores> {
  const { organization_id } = asks[0].wanted.scope
  const games = unique(asks.map(({ wanted }) => wanted.game))
  const values = { organization_id, game_id: games, ...(teams.size > 0 && { team_id: [...teams] }) }
  try {
    const { found, boughtAt } = await read(account, asks, values)
    const bare = games.filter((game) => !found.some((line) => line.game === game))
    const moved = await readElsewhere(account, asks, bare)
    for (const game of bare) if (!moved.has(game)) keepSides(account, game, [], values, boughtAt)
    return ({ wanted }) => moved.get(wanted.game ?? '')?.(wanted) ?? keysIn(found, wanted)
  } catch (error) {
    if (!(error instanceof AccessDeniedError)) throw error
    return (ask) => oneByOne(account, ask)
  }
}

const keysIn = (found: readonly Line[], { game, team }: BoxscoresWanted): Keys =>
  found.filter((line) => line.game === game && (team === null || line.team === team)).map(({ key }) => key)

/**
 * Games whose row is unknown were assumed to be of the default league. If nothing was found for one, its row
 * is read, and its boxscores are read again in the right league. Returns all answers, and what was found for
 * each game.
 */
async function readElsewhere(
  account: Account,
  asks: Asks<BoxscoresWanted>,
  bare: readonly string[],
): Promise<ReadonlyMap<string, (wanted: BoxscoresWanted) => Keys | undefined>> {
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
  const found = await allDone(boxscores.callNow(account, moved))
  const byWhat = new Map(moved.map(({ wanted }, index) => [wanted.what, found[index] ?? []]))
  const valueOf = ({ what }: BoxscoresWanted) => byWhat.get(what)
  return new Map(moved.map(({ wanted }) => [wanted.game ?? '', valueOf]))
}

/**
 * Stores the sides of a game for which an answer has rows, or which were requested; both, if no team was
 * named.
 */
function keepSides(
  account: Account,
  game: string,
  own: readonly Line[],
  { team_id }: Arguments,
  boughtAt: number,
): void {
  const entry = account.rows.entry('game', game)
  const put = (team: string | null, lines: readonly Line[]) =>
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

fills([operations.readBoxscore, operations.getBoxscore], (account, answer) => {
  const { operation, arguments: values, keys, boughtAt } = answer
  const found = lines(account, keys)
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
    if (own.length > 0 || isOurs)
      keepSides(
        account,
        game,
        own,
        game_id === undefined ? { team_id: own.map(({ team }) => team) } : values,
        boughtAt,
      )
  }
})

/** One call for each side of a game. The game's row names the teams. */
async function oneByOne(account: Account, { request, field, wanted }: Ask<BoxscoresWanted>): Promise<Keys> {
  const { team, scope } = wanted
  const game = wanted.game ?? ''
  const entry = account.rows.entry('game', game)
  if (team === null) await loadColumns(request, 'game', game, ['away_team_id', 'home_team_id'], field)
  const answers = await allDone(
    (team === null ? teamsOf(entry) : [team]).map((team_id) =>
      call(account, {
        operation: operations.getBoxscore,
        arguments: { organization_id: scope.organization_id, game_id: game, team_id },
        requests: [request],
        field,
      }),
    ),
  )
  const found = lines(
    account,
    answers.flatMap(({ keys }) => keys),
  )
  return keysIn(found, wanted)
}
