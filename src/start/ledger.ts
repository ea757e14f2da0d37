import type { Config } from '../config.ts'
import { noClientBudgets, readClientBudgets } from '../money/client-budgets.ts'
import type { ClientBudgets } from '../money/client-budgets.ts'
import { LEDGER_FILE } from '../money/files/ledger-database.ts'
import { LedgerFile } from '../money/files/ledger-file.ts'
import { openLedger, openShared } from '../money/open-ledger.ts'
import type { OpenLedger } from '../money/open-ledger.ts'
import type { Spending } from '../money/ledger-store.ts'
import { lostText } from '../money/lost-spending.ts'
import { MemoryOutbox, OutboxFile } from '../money/files/outbox.ts'
import type { Outbox } from '../money/files/outbox.ts'
import { isDamaged } from '../money/files/sqlite.ts'
import { openFault } from '../store/open-fault.ts'
import { ledgerFault } from '../store/redis/faults.ts'
import type { RedisConnection } from '../store/redis/connection.ts'
import { RedisLedger } from '../store/ledger/redis-ledger.ts'

/** The ledger of all instances, or of this one. */
export const ledgerOf = (config: Config, redis: RedisConnection | null, clientBudgets: ClientBudgets) =>
  redis ? sharedLedger(config, redis, clientBudgets) : ledgerIn(config.dataDir)

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
    outbox: outboxIn(config.dataDir),
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

function outboxIn(folder: string): Outbox {
  try {
    return new OutboxFile(folder)
  } catch (error) {
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
async function ledgerIn(folder: string): Promise<OpenLedger | undefined> {
  const warn = (error: unknown, so: string) =>
    console.warn(
      `The ledger in DATA_DIR (${folder}) cannot be written: ${openFault(error)}. ${so}${remedyOf(error)}`,
    )
  const waits = 'What is spent waits in memory until it can be.'
  try {
    const ledger = new LedgerFile(folder, Date.now())
    if (ledger.fault !== null) warn(ledger.fault, waits)
    const opened = await openLedger(ledger, Date.now(), (error) => {
      // Otherwise it was told at the start.
      if (!ledger.isVolatile) warn(error, waits)
    })
    return { ...opened, onLost: tellLost }
  } catch (error) {
    warn(error, 'Spending is counted in memory only.')
    return undefined
  }
}

const tellLost = (lost: readonly Spending[]) => console.warn(lostText(lost))

/** A damaged ledger is not replaced by an empty one, because budgets would begin anew. */
const remedyOf = (error: unknown) =>
  isDamaged(error)
    ? ` The file ${LEDGER_FILE} is damaged: stop Statline and restore a copy of it, or delete it to begin at zero.`
    : ''
