import type { DocumentNode, ExecutionArgs, ExecutionResult } from 'graphql'
import type { ExecutionContext } from '../graph/execution/context.ts'
import type { GameSnapshot } from '../live/game-snapshot.ts'
import type { LiveEvent } from '../live/subscription.ts'
import { executeUnpriced } from './execution.ts'

/** A result that serves several subscribers. */
interface Shared {
  readonly result: Promise<ExecutionResult>
  /** Until when its rows are fresh; infinite while it is being executed. */
  until: number
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

/**
 * Executes an event once for all subscribers of a group. A result with errors is not shared, because they may
 * be the client's own.
 */
export async function liveResult(
  args: ExecutionArgs,
  event: LiveEvent,
  group: string,
): Promise<ExecutionResult> {
  const { clientRequest } = args.contextValue as ExecutionContext // the context of every subscription of this schema
  const { clock } = clientRequest.account.upstream.settings
  let byGroup = results.get(event.snapshot)
  if (!byGroup) results.set(event.snapshot, (byGroup = new Map()))
  const name = `${group} ${event.row.entry.key}`
  const known = byGroup.get(name)
  if (known && known.until > clock()) {
    const result = await known.result
    if (!result.errors) return result
  }
  const own: Shared = { result: executed(args, event), until: Number.POSITIVE_INFINITY }
  byGroup.set(name, own)
  const result = await own.result
  own.until = Math.min(clientRequest.freshUntil ?? Number.POSITIVE_INFINITY, event.row.entry.freshUntil)
  if (result.errors && byGroup.get(name) === own) byGroup.delete(name)
  return result
}

async function executed(args: ExecutionArgs, event: LiveEvent): Promise<ExecutionResult> {
  const { clientRequest, budget } = args.contextValue as ExecutionContext // as above
  clientRequest.renew()
  budget.renew()
  const result = await executeUnpriced({ ...args, rootValue: event })
  return { ...result, extensions: { ...result.extensions, live: event.live } }
}
