import type { DocumentNode, ExecutionArgs, ExecutionResult } from 'graphql'
import type { ExecutionContext } from '../graph/execution/context.ts'
import type { GameSnapshot } from '../live/game-snapshot.ts'
import { staleAt } from '../live/outage.ts'
import type { LiveEvent } from '../live/progress.ts'
import type { Stale } from '../account/expired-rows.ts'
import type { Accepted, ClientRequest } from '../account/client-request.ts'
import { mergedStale } from '../account/expired-rows.ts'
import type { Handle } from '../graph/handle.ts'
import { executeUnpriced } from './execution.ts'

/** A result that serves several subscribers. */
interface Shared {
  readonly result: Promise<ExecutionResult>
  /** The outage, or the game that has left, for which expired rows were accepted; null if none were. */
  readonly cause: object | null
  /** Until when its rows are fresh; infinite while it is being executed. */
  until: number
  /** What is stale in it, as all its subscribers are told. */
  stale: Stale | undefined
}

const documents = new WeakMap<DocumentNode, number>()
let lastDocument = 0

function numberOf(document: DocumentNode): number {
  const known = documents.get(document)
  if (known !== undefined) return known
  documents.set(document, (lastDocument += 1))
  return lastDocument
}

/** Identifies subscribers with the same document and the same variables. */
export const groupOf = ({ document, operationName, variableValues }: ExecutionArgs): string =>
  `${numberOf(document)} ${operationName ?? ''} ${JSON.stringify(variableValues ?? {})}`

/** Results by the state of a game, which is dropped when the next one replaces it. */
const results = new WeakMap<GameSnapshot, Map<string, Shared>>()

/** The result of an event. Its data is shared; how it is live is each subscriber's own. */
export async function liveResult(
  args: ExecutionArgs,
  event: LiveEvent,
  group: string,
): Promise<ExecutionResult> {
  const { row, snapshot } = event
  const result = await (row && snapshot && !event.error
    ? sharedResult(args, event, row, snapshot, group)
    : executed(args, event))
  return { ...result, extensions: { ...result.extensions, live: event.live } }
}

/**
 * Executes an event once for all subscribers of a group. A result with errors is not shared, because they may
 * be the client's own.
 */
async function sharedResult(
  args: ExecutionArgs,
  event: LiveEvent,
  { entry }: Handle,
  snapshot: GameSnapshot,
  group: string,
): Promise<ExecutionResult> {
  const { clientRequest } = args.contextValue as ExecutionContext // the context of every subscription of this schema
  const { clock } = clientRequest.account.upstream.settings
  let byGroup = results.get(snapshot)
  if (!byGroup) results.set(snapshot, (byGroup = new Map()))
  const name = `${group} ${entry.key}`
  const cause = event.isLast ? snapshot : event.outage
  const known = byGroup.get(name)
  if (known?.cause === cause && (cause !== null || known.until > clock())) {
    const result = await known.result
    if (!result.errors) {
      clientRequest.noteStale(known.stale)
      return result
    }
  }
  const own: Shared = {
    result: executed(args, event),
    cause,
    until: Number.POSITIVE_INFINITY,
    stale: undefined,
  }
  byGroup.set(name, own)
  const result = await own.result
  own.stale = clientRequest.stale
  own.until = Math.min(clientRequest.freshUntil ?? Number.POSITIVE_INFINITY, entry.freshUntil)
  if (result.errors && byGroup.get(name) === own) byGroup.delete(name)
  return result
}

async function executed(args: ExecutionArgs, event: LiveEvent): Promise<ExecutionResult> {
  const { clientRequest, budget } = args.contextValue as ExecutionContext // as above
  const { clock } = clientRequest.account.upstream.settings
  clientRequest.renew(acceptedBy(event, clientRequest))
  budget.renew()
  const result = await executeUnpriced({ ...args, rootValue: event })
  // The last row of a game is not out of date.
  if (event.isLast) clientRequest.noteStale(undefined)
  else if (event.outage)
    clientRequest.noteStale(mergedStale(clientRequest.stale, staleAt(event.outage, clock())))
  return result
}

/** The expired rows that an event takes without buying them again. */
function acceptedBy({ isLast, outage }: LiveEvent, { account }: ClientRequest): Accepted | undefined {
  // At no time, every row is the last known one. The service may have said since that it has none.
  if (isLast) return { at: 0, since: 0 }
  const { freshFor } = account.fresh
  return outage ? { since: account.upstream.settings.clock() - freshFor.staleIfError } : undefined
}
