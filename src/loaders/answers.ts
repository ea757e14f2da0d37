import { Loader } from '../loading/loader.ts'
import { byWhat, requestsOf } from '../loading/ask-groups.ts'
import type { Wanted } from '../loading/ask.ts'
import type { Place } from '../graph/place.ts'
import type { Scope } from '../graph/scope.ts'
import { slots } from '../rows/slot.ts'
import { textOf } from '../rows/values.ts'
import { call } from '../calls/call.ts'
import type { Entry } from '../rows/entry.ts'
import type { Filling } from '../account/fill.ts'
import { nameOf } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import type { Arguments, Operation } from '../specification/operation.ts'
import { keyOf } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import type { RowCache } from '../rows/row-cache.ts'
import { leagueEntry } from './leagues.ts'
import { seasonRevalidation } from './season-revalidation.ts'
import type { Keys } from '../rows/slot.ts'

/** What a call returned for one row. */
interface Answer {
  readonly operation: Operation
  readonly arguments: Arguments
}

interface AnswerWanted extends Wanted, Answer {
  readonly owner: Entry
}

/** The keys of the rows in a call's answer: of a game log by start time, of others in the service's order. */
const answerSlot = slots<Keys, Answer>({
  name: 'answer',
  keyOf: ({ operation, arguments: values }) =>
    `${nameOf(operation)} ${operation.yields} ${JSON.stringify(values)}`,
  freshness: ({ fresh }, { arguments: values }) =>
    fresh.ofSeason(values['organization_id'], values['season']),
  lists: ({ operation: { yields } }) => (yields === 'search' ? undefined : yields),
})

/**
 * Loads what the service returns for one row at a time: rosters, game logs, seasons, statistics. Its calls go
 * out in parallel.
 */
export const answers = new Loader<AnswerWanted, Keys>(
  'answers',
  (account, asks) =>
    byWhat(asks, (group) => {
      const [{ field, wanted }] = group
      const { operation, arguments: values } = wanted
      return call(account, { operation, arguments: values, requests: requestsOf(group), field })
    }),
  { revalidation: seasonRevalidation((wanted) => wanted.arguments), isReleasedTogether: true },
)

/** The games of a log are nested in its rows, so their start times are known. */
function inOrder({ rows }: RowCache, operation: Operation, keys: Keys): Keys {
  if (operation !== operations.getGameLogs) return keys
  // Ids do not expire, and a start time seldom changes. `~` sorts behind every time.
  const startOf = (key: string) => {
    const game = rows.entry('game', textOf(rows.entry('player_boxscore', key).column('game_id', 0)))
    return textOf(game.column('start_datetime', 0) ?? game.column('start_date', 0) ?? '~')
  }
  const starts = new Map(keys.map((key) => [key, startOf(key)] as const))
  const at = (key: string) => starts.get(key) ?? ''
  return keys.toSorted((a, b) => (at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : 0))
}

/** The answer to a call, which is kept with what it belongs to. */
const filling = (ownerOf: (account: RowCache, values: Arguments) => Entry): Filling => ({
  fill: (account, answer) => {
    const keys = inOrder(account, answer.operation, answer.keys)
    answerSlot(answer).put(account, ownerOf(account, answer.arguments), keys, answer.boughtAt)
  },
  brings: (account, values, operation) => [
    [ownerOf(account, values), answerSlot({ operation, arguments: values })],
  ],
})

/** The answer to a call for one row. */
export const answerFilling = (table: TableName): Filling =>
  filling(({ rows }, values) => rows.entry(table, String(values[keyOf(table)])))

/** The answer to a call for a league. */
export const leagueAnswerFilling: Filling = filling(leagueEntry)

/** Where a call's answer is stored: with the row that it belongs to. */
export function answerAt(owner: Entry, answer: Answer, scope: Scope): Place<AnswerWanted, Keys> {
  const slot = answerSlot(answer)
  return { owner, slot, wanted: { owner, what: `${owner.key} ${slot.name}`, ...answer }, scope }
}
