import type { Entry } from '../rows/entry.ts'
import type { Context } from '../graph/context.ts'
import { scopeFrom } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { Loader } from '../loading/loader.ts'
import { requestsOf } from '../loading/ask-groups.ts'
import type { Asks } from '../loading/ask-groups.ts'
import type { Ask, Calls, Wanted } from '../loading/ask.ts'
import type { Place } from '../graph/place.ts'
import { loadColumns } from '../loading/row-loader.ts'
import type { Scope } from '../graph/scope.ts'
import { bytesPerToken } from '../money/price.ts'
import { planOdds } from '../plan/odds.ts'
import type { OddsSizes, OddsWanted } from '../plan/odds.ts'
import { gameSlots } from '../rows/game-slots.ts'
import { unseen } from '../rows/moment.ts'
import type { GameSlot } from '../rows/game-slots.ts'
import type { Keys, Slot } from '../rows/slot.ts'
import type { GameState } from '../rows/game-state.ts'
import { call } from '../calls/call.ts'
import type { CodedError } from '../errors/errors.ts'
import type { Brought, Fill } from '../account/fill.ts'
import type { RowCache } from '../rows/row-cache.ts'
import { grouped } from '../groups.ts'
import { nameOf, several } from '../specification/operation.ts'
import type { Arguments } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import type { ClientRequest } from '../account/client-request.ts'
import type { Account } from '../account/account.ts'
import { leagueKey } from './leagues.ts'
import { listedOn, putNoLines } from './schedule-slots.ts'
import { isSet, textOf } from '../rows/values.ts'

/** What to load for a game: its current odds, their history, or its prediction. */
interface LineWanted extends Wanted {
  readonly key: string
  readonly line: GameSlot
  readonly scope: Scope
}

type LineAsk = Ask<LineWanted>

const isCurrent = ({ line }: LineWanted) => line === 'pre' || line === 'live'

/** The name under which failures are stored: one operation brings both current lines. */
const whatOf = (game: string, line: GameSlot) =>
  `${game} ${line === 'pre' || line === 'live' ? 'current' : line}`

/** Loads predictions and odds of games known by id, with the cheapest calls for all that ask at once. */
export const lines = new Loader<LineWanted, Keys>('lines', plan, { rows: 'odds' })

/** Where a game's odds or prediction are stored, and what to ask for if they are missing. */
class LinePlace implements Place<LineWanted, Keys> {
  readonly slot: Slot<Keys>
  readonly #game: Handle
  readonly #line: GameSlot
  readonly #context: Context

  constructor(game: Handle, line: GameSlot, context: Context) {
    this.slot = gameSlots[line]
    this.#game = game
    this.#line = line
    this.#context = context
  }

  get owner(): Entry {
    return this.#game.entry
  }

  get scope(): Scope {
    const { clientRequest: request, defaults } = this.#context
    const { organization_id, division_id, season, day } = scopeFrom(this.#game, request)
    return {
      organization_id: organization_id ?? defaults.organization_id,
      division_id: division_id ?? defaults.division_id,
      season: season ?? defaults.season,
      day: day ?? defaults.day,
    }
  }

  get wanted(): LineWanted {
    const { key } = this.owner
    return { what: whatOf(key, this.#line), key, line: this.#line, scope: this.scope }
  }
}

export const linePlace = (game: Handle, line: GameSlot, context: Context): Place<LineWanted, Keys> =>
  new LinePlace(game, line, context)

/** Remembers that a game's odds or prediction could not be loaded, so that the request does not ask again. */
export const failLine = (request: ClientRequest, game: string, line: GameSlot, error: CodedError): void =>
  lines.fail(request, whatOf(game, line), error)

/** If bulk reads of odds are refused, current odds come from the scores of the game's day. */
function plan(account: Account, asks: readonly LineAsk[]): Calls {
  const dayOfAsk = new Map(asks.map((ask) => [ask, dayOf(account, ask)] as const))
  const onDay = grouped(asks, (ask) => dayOfAsk.get(ask) ?? '')
  const planned = planOdds(wantedOf(account, dayOfAsk), sizes(account, onDay))
  const odds = new Set(planned.odds)
  const isRead = ({ wanted }: LineAsk) => odds.has(wanted.key) && wanted.line !== 'prediction'
  const [first, ...others] = asks.filter(isRead)
  const read = first && readOdds(account, planned.odds, [first, ...others])
  // Who asks for odds alone neither waits for the scores nor pays for them.
  const notRead = asks.filter((ask) => !isRead(ask))
  const scoresFor = grouped(notRead, (ask) => dayOfAsk.get(ask) ?? '')
  const days = new Map(
    planned.days.toSorted().map((day) => [day, scoresOf(account, day, scoresFor.get(day) ?? [])] as const),
  )
  return asks.map((ask) => {
    if (read && isRead(ask)) return read
    return days.get(dayOfAsk.get(ask) ?? '') ?? afterItsRow(account, ask)
  })
}

const oddsRefused = (account: Account) => account.refusals.has(nameOf(operations.readOdds))

function wantedOf(account: Account, asks: ReadonlyMap<LineAsk, string | null>): readonly OddsWanted[] {
  const games = new Map<string, OddsWanted>()
  for (const [ask, day] of asks) {
    const { key, line } = ask.wanted
    const before = games.get(key)
    const current = isCurrent(ask.wanted) || (before?.current ?? false)
    const history = line === 'history' || (before?.history ?? false)
    // If odds/read is refused, only scores bring current odds.
    const scores = line === 'prediction' || (isCurrent(ask.wanted) && oddsRefused(account))
    const prediction = scores || (before?.prediction ?? false)
    games.set(key, { game: key, day, current, history, prediction })
  }
  return [...games.values()]
}

/** The league and the day of a game; null if its row is unknown. */
function dayOf(account: Account, { request, wanted: { key, scope } }: LineAsk): string | null {
  const entry = account.rows.entry('game', key)
  const now = unseen(request.now)
  const column = (name: string) => entry.column(name, now)
  const start = column('start_date')
  if (typeof start !== 'string') return null
  const organization = column('organization_id') ?? scope.organization_id
  const division = column('division_id') ?? scope.division_id
  return `${organization} ${division} ${start.slice(0, 10)}`
}

function sizes(account: Account, onDay: ReadonlyMap<string, readonly LineAsk[]>): OddsSizes {
  const { estimates } = account
  const scoresOf = (games: number) => games * estimates.bytesPerRow(operations.getScores)
  const usual = estimates.rowsPerId(operations.getScores, 'start_date')
  return {
    oddsOfGame:
      estimates.bytesPerRow(operations.readOdds) * estimates.rowsPerId(operations.readOdds, 'game_id'),
    scoresOfAnyDay: scoresOf(usual),
    scoresOfDay(name) {
      const [organization_id, division_id, date = ''] = name.split(' ')
      const league = leagueKey({ organization_id, division_id })
      const asked = new Set(onDay.get(name)?.map(({ wanted }) => wanted.key)).size
      return scoresOf(Math.max(listedOn(account, league, date)?.length ?? usual, asked))
    },
    rowOf: (game) => (account.isInFlight('game', game) ? 0 : estimates.bytesPerRow(operations.readGames)),
    bytesPerToken,
  }
}

const readOdds = (account: Account, games: readonly string[], asks: Asks<LineWanted>) =>
  call(account, {
    operation: operations.readOdds,
    arguments: { game_id: games },
    requests: requestsOf(asks),
    field: asks[0].field,
  })

/** Stores each game's odds: the history, oldest first, and the current pre-game and live rows. */
export const oddsFill: Fill = (account, { arguments: { game_id: games = [] }, keys, boughtAt }) => {
  const rows = keys.map((key): Movement => ({
    ...account.rows.entry('odds', key).columns(boughtAt - 1),
    key,
  }))
  const byGame = grouped(rows, ({ game_id }) => textOf(game_id))
  for (const game of several(games).map(String)) {
    const own = byGame.get(game) ?? []
    const history = own.toSorted((a, b) => (textOf(a.date_of_entry) < textOf(b.date_of_entry) ? -1 : 1))
    const current = history.filter((row) => isSet(row.current) && !isSet(row.deleted))
    const last = (isLive: boolean) => current.findLast(({ live }) => isSet(live) === isLive)
    learnAge(account.game(game), history, boughtAt)
    const entry = account.rows.entry('game', game)
    const put = (line: GameSlot, those: readonly Movement[]) =>
      gameSlots[line].put(
        account,
        entry,
        those.map(({ key }) => key),
        boughtAt,
      )
    put('history', history)
    for (const [line, row] of [
      ['pre', last(false)],
      ['live', last(true)],
    ] as const)
      put(line, row ? [row] : [])
  }
}

/** The odds of games that are read. */
export const oddsBrought = (account: RowCache, { game_id = [] }: Arguments): readonly Brought[] =>
  several(game_id).flatMap((game) => linesOf(account, String(game), ['history', 'pre', 'live']))

/** The predictions and current odds of a day's games, as far as these are known. */
export function linesBrought(account: RowCache, values: Arguments): readonly Brought[] {
  const { start_date } = values
  if (typeof start_date !== 'string') return []
  const games = listedOn(account, leagueKey(values), start_date) ?? []
  return games.flatMap((game) => linesOf(account, game, ['prediction', 'pre', 'live']))
}

const linesOf = (account: RowCache, game: string, lines: readonly GameSlot[]): readonly Brought[] =>
  lines.map((line) => [account.rows.entry('game', game), gameSlots[line]])

/** The age of the newest line tells whether the game is over, if no status does. */
function learnAge(state: GameState, history: readonly Movement[], boughtAt: number): void {
  const newest = history.at(-1)
  const date = Date.parse(textOf(newest?.date_of_entry))
  if (newest && !Number.isNaN(date)) state.learnLines(date, isSet(newest.live), boughtAt)
}

/** The columns of an odds row that are read here, in any type. */
interface Movement {
  readonly key: string
  readonly game_id?: unknown
  readonly date_of_entry?: unknown
  readonly current?: unknown
  readonly live?: unknown
  readonly deleted?: unknown
}

async function scoresOf(
  account: Account,
  day: string,
  [first, ...others]: readonly LineAsk[],
): Promise<void> {
  const [organization_id = '', division_id = '', start_date = ''] = day.split(' ')
  if (!first) return
  const { keys, boughtAt } = await call(account, {
    operation: operations.getScores,
    arguments: { organization_id, division_id, start_date },
    requests: requestsOf([first, ...others]),
    field: first.field,
  })
  const there = new Set(keys)
  for (const { wanted } of [first, ...others])
    if (!there.has(wanted.key)) putNoLines(account, account.rows.entry('game', wanted.key), boughtAt)
}

/** The scores of a day need the date, which is in the game's row. */
async function afterItsRow(account: Account, ask: LineAsk): Promise<void> {
  const { request, field, wanted } = ask
  await loadColumns(request, 'game', wanted.key, ['start_date'], field)
  // Joins no pending ask: it would wait for itself.
  if (dayOf(account, ask) !== null) await lines.load(lineAsk(request, field, wanted))
  else putNoLines(account, account.rows.entry('game', wanted.key), account.upstream.moment())
}

/** Asks for a line, unless it is stored. */
export function lineAsk(request: ClientRequest, field: string, wanted: LineWanted): Ask<LineWanted, Keys> {
  const slot = gameSlots[wanted.line]
  const game = request.account.rows.entry('game', wanted.key)
  return {
    request,
    field,
    wanted,
    cached: () => slot.read(game, request.now),
    value: () => slot.lastOrNone(game),
  }
}
