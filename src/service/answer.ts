import type { Account, Clock } from './keys/keys.ts'
import { fileMeter } from './keys/file-meter.ts'
import { knownKeys } from './keys/known.ts'
import type { Meter, Sold } from './keys/meter.ts'
import { serverMeter } from './keys/server-meter.ts'
import { readArguments } from './operations/arguments.ts'
import type { RawArguments } from './operations/arguments.ts'
import type { Arguments, Operation } from './operations/operation.ts'
import { operationOf } from './operations/registry.ts'
import { sportsOf } from './operations/sports.ts'
import { conditionsOf } from './operations/template.ts'
import { randomized, randomizedHeader } from './randomized-trial.ts'
import { Refusal } from './refusal.ts'
import type { Database } from './store/database.ts'
import { sourceOf } from './store/source.ts'

/** A request in either style. */
export interface Call {
  readonly class: string
  readonly function: string
  readonly arguments: RawArguments
}

/** An answer that is paid for, with headers of its own. */
export interface Answer extends Sold {
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Answers the call that `read` returns, once the key is known. Throws a `Refusal` for everything that is not
 * allowed.
 */
export type Answerer = (key: string | undefined, read: () => Call | Promise<Call>) => Promise<Answer>

export function answererOf(database: Database, clock: Clock): Answerer {
  const { db: writer, reader: db, accounts } = database
  const keys = knownKeys(accounts, async () => (await sourceOf(database)) === 'sample')
  const meter = meterOf(database, clock)
  const sports = sportsOf(db)
  const made = async (account: Account, operation: Operation, given: Arguments) => {
    const text = await operation.answer({ db, writer, sports, plan: account.plan }, given)
    return meter.charge(account, account.plan.randomized ? randomized(text) : text)
  }
  // A value that is already there is not awaited: a promise costs as much as a query by key.
  return async (key, read) => {
    const known = keys.of(key)
    const account = known instanceof Promise ? await known : known
    const taken = read()
    const call = taken instanceof Promise ? await taken : taken
    const operation = operationOf(call.class, call.function)
    if (operation.needs === 'read' && !account.plan.read)
      throw new Refusal('access_denied', 'Access denied: this needs a paid subscription with read access.')
    const given = readArguments(operation, call.arguments)
    meter.admit(account)
    try {
      if (account.plan.randomized)
        return { ...(await made(account, operation, given)), headers: randomizedHeader }
      return (await sell(meter, account, operation, given)) ?? (await made(account, operation, given))
    } catch (error) {
      if (error instanceof Refusal && error.code === 'invalid_key') keys.forget(key)
      throw error
    }
  }
}

export const meterOf = ({ direct }: Database, clock: Clock): Meter =>
  direct.dialect === 'sqlite'
    ? fileMeter(direct.league, direct.accounts, clock)
    : serverMeter(direct.send, clock)

/** An answer written by the database; undefined for a call that needs more. */
function sell(meter: Meter, account: Account, operation: Operation, given: Arguments) {
  const written = operation.written?.(given)
  if (!written) return undefined
  return meter.sell(account, written.template, conditionsOf(written.template, written.filters))
}
