import { authenticate } from './keys/keys.ts'
import type { Clock } from './keys/keys.ts'
import { meterOf } from './keys/meter.ts'
import { readArguments } from './operations/arguments.ts'
import type { RawArguments } from './operations/arguments.ts'
import { operationOf } from './operations/registry.ts'
import { sportsOf } from './operations/sports.ts'
import { Refusal } from './refusal.ts'
import type { Database } from './store/database.ts'
import { sourceOf } from './store/source.ts'

/** A request, whichever way it came. */
export interface Call {
  readonly class: string
  readonly function: string
  readonly arguments: RawArguments
}

export interface Answer {
  readonly body: Buffer
  /** The tokens charged: 0 for an error. */
  readonly usage: number
}

/** Answers what `read` makes of a request, once its key is known. Throws a `Refusal` for whatever it will not answer. */
export type Answerer = (key: string | undefined, read: () => Promise<Call>) => Promise<Answer>

export function answererOf(database: Database, clock: Clock): Answerer {
  const { db: writer, reader: db, accounts } = database
  const sports = sportsOf(db)
  const isSampleLeague = async () => (await sourceOf(database)) === 'sample'
  const meter = meterOf(accounts, clock)
  return async (key, read) => {
    const account = await authenticate(accounts, key, isSampleLeague)
    const call = await read()
    const operation = operationOf(call.class, call.function)
    if (operation.needs === 'read' && !account.plan.read)
      throw new Refusal('access_denied', 'Access denied: this needs a paid subscription with read access.')
    const given = readArguments(operation, call.arguments)
    await meter.admit(account)
    const text = await operation.answer({ db, writer, sports, plan: account.plan }, given)
    const body = Buffer.from(text)
    return { body, usage: await meter.charge(account, body.length) }
  }
}
