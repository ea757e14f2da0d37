import { join } from 'node:path'
import type { Config } from '../config.ts'
import { noClientBudgets, readClientBudgets } from '../money/client-budgets.ts'
import type { ClientBudgets } from '../money/client-budgets.ts'
import { LEDGER_FILE } from '../money/files/ledger-database.ts'
import { LedgerFile } from '../money/files/ledger-file.ts'
import { openLedger, openShared } from '../money/open-ledger.ts'
import type { OpenLedger } from '../money/open-ledger.ts'
import type { Spending } from '../money/ledger-store.ts'
import { lostText } from '../money/lost-spending.ts'
import { MemoryOutbox, OUTBOX_FILE, OutboxFile } from '../money/files/outbox.ts'
import type { Outbox } from '../money/files/outbox.ts'
import { isDamaged, usualWaits } from '../money/files/sqlite.ts'
import type { Waits } from '../money/files/sqlite.ts'
import { openFault } from '../store/open-fault.ts'
import { ledgerFault } from '../store/redis/faults.ts'
import type { RedisConnection } from '../store/redis/connection.ts'
import { RedisLedger } from '../store/ledger/redis-ledger.ts'
import { openedOrAside, SpendingUnknownError } from './spending-file.ts'

/**
 * The ledger of all instances, or of this one; undefined if it is kept in memory. Throws SpendingUnknownError if there
 * is a budget, and what was spent cannot be read.
 */
export const ledgerOf = (
  config: Config,
  redis: RedisConnection | null,
  clientBudgets: ClientBudgets,
  lockWaits = usualWaits,
) =>
  redis
    ? sharedLedger(config, redis, clientBudgets)
    : ledgerIn(config.dataDir, hasBudget(config, clientBudgets), lockWaits)

const hasBudget = ({ monthlyTokenBudget }: Config, clientBudgets: ClientBudgets) =>
  monthlyTokenBudget !== null || clientBudgets.size > 0

/** Milliseconds to wait for Redis. */
const firstWait = 1_000

async function sharedLedger(
  config: Config,
  redis: RedisConnection,
  clientBudgets: ClientBudgets,
): Promise<OpenLedger> {
  const warn = (error: unknown) =>
    console.warn(ledgerFault(error) ?? `The shared ledger cannot be written: ${(error as Error).message}.`)
  const ledger = new RedisLedger({
    redis,
    outbox: await outboxIn(config.dataDir, hasBudget(config, clientBudgets)),
    clock: Date.now,
    budget: config.monthlyTokenBudget,
    clientBudgets,
    apiKey: config.upstreamApiKey,
    // Every request to the service is over before.
    leaseMs: 2 * config.upstreamTimeoutMs + 30_000,
    onFailure: warn,
    warn: (message) => console.warn(message),
  })
  await ledger.ready(firstWait)
  return { ...openShared(ledger, warn), onLost: tellLost }
}

async function outboxIn(folder: string, isLimited: boolean): Promise<Outbox> {
  const outbox = {
    file: join(folder, OUTBOX_FILE),
    name: 'The file of bills that wait for Redis',
    lost: 'the bills that waited in it are not counted',
  }
  try {
    return await openedOrAside(outbox, isLimited, () => new OutboxFile(folder))
  } catch (error) {
    if (error instanceof SpendingUnknownError) throw error
    console.warn(
      `DATA_DIR (${folder}) cannot be written: ${openFault(error)}. What is spent while Redis is away is kept in memory only.`,
    )
    return new MemoryOutbox()
  }
}

export const clientBudgetsOf = ({ clientBudgets }: Config) =>
  clientBudgets === null ? noClientBudgets : readClientBudgets(clientBudgets)

/**
 * The ledger of a folder, with one warning if it cannot be written now; undefined if it cannot be read either.
 */
async function ledgerIn(
  folder: string,
  isLimited: boolean,
  lockWaits: Waits,
): Promise<OpenLedger | undefined> {
  const warn = (error: unknown, so: string) =>
    console.warn(
      `The ledger in DATA_DIR (${folder}) cannot be written: ${openFault(error)}. ${so}${remedyOf(error)}`,
    )
  const waits = 'What is spent waits in memory until it can be.'
  const open = async (): Promise<OpenLedger> => {
    const ledger = new LedgerFile(folder, Date.now(), lockWaits)
    try {
      const opened = await openLedger(ledger, Date.now(), (error) => {
        // Otherwise it was told at the start.
        if (!ledger.isVolatile) warn(error, waits)
      })
      if (ledger.fault !== null) warn(ledger.fault, waits)
      return { ...opened, onLost: tellLost }
    } catch (error) {
      await ledger.close().catch(() => {}) // it is damaged
      throw error
    }
  }
  const file = join(folder, LEDGER_FILE)
  const lost = 'what was spent this month is not known'
  try {
    return await openedOrAside({ file, name: 'The ledger', lost }, isLimited, open)
  } catch (error) {
    if (error instanceof SpendingUnknownError) throw error
    warn(error, 'Spending is counted in memory only.')
    return undefined
  }
}

const tellLost = (lost: readonly Spending[]) => console.warn(lostText(lost))

/** Of a file that can neither be written nor be kept aside. */
const remedyOf = (error: unknown) =>
  isDamaged(error)
    ? ` The file ${LEDGER_FILE} is damaged: stop Statline and restore a copy of it, or delete it to begin at zero.`
    : ''
