import { join } from 'node:path'
import { CapabilitiesError, capabilitiesFile, parsed } from './capabilities/file.ts'
import { bill, billHelp } from './commands/bill.ts'
import { usageOf } from './commands/command.ts'
import type { Command } from './commands/command.ts'
import { doctor, doctorHelp } from './commands/doctor.ts'
import type { Diagnosis } from './commands/doctor.ts'
import { price, priceHelp } from './commands/price.ts'
import { UsageError } from './commands/usage-error.ts'
import { ConfigError, readConfig } from './config.ts'
import type { Config } from './config.ts'
import { clientBudgetsOf, ledgerOf } from './start/ledger.ts'
import { checkDataDir } from './start/data-dir.ts'
import { ClientBudgetsError } from './money/client-budgets.ts'
import { Ledgers } from './money/ledgers.ts'
import { NoLedgerError, readLedger } from './money/files/read-ledger.ts'
import { SpendingUnknownError } from './start/spending-file.ts'
import { connectionOf } from './start/redis.ts'
import type { RedisConnection } from './store/redis/connection.ts'
import { SIZES_FILE } from './account/sizes-file.ts'
import { readShared } from './store/ledger/spent-days.ts'

const isHelp = (arg: string | undefined) => arg === '--help' || arg === '-h'

const known = [
  CapabilitiesError,
  ClientBudgetsError,
  ConfigError,
  NoLedgerError,
  SpendingUnknownError,
  UsageError,
]

/** Milliseconds to wait for Redis. */
const longestWait = 5_000

/** The file in which the graph looks for what is known about the service. */
const fileOf = ({ capabilities, dataDir }: Config) => capabilities ?? capabilitiesFile(dataDir)

/** The bill: of all instances if they share a ledger, else of the folder. */
async function printBill(args: readonly string[]): Promise<number> {
  const config = readConfig()
  const { dataDir } = config
  const redis = connectionOf(config)
  const warned = new Set<string>()
  const warnOnce = (text: string) => {
    if (!warned.has(text)) console.error(text)
    warned.add(text)
  }
  try {
    await redis?.ready(longestWait)
    const read = async (from: string, to: string) =>
      redis ? readShared(redis, from, to) : readLedger(dataDir, from, to, warnOnce)
    const drift = () =>
      parsed(fileOf(config), config.capabilities === null ? 'DATA_DIR' : 'CAPABILITIES')?.drift ?? []
    console.log(await bill(args, { read, drift, warn: warnOnce }, Date.now()))
    return 0
  } finally {
    await redis?.close()
  }
}

async function printPrice(args: readonly string[]): Promise<number> {
  const learned = join(readConfig().dataDir, SIZES_FILE)
  const { text, note, isWithin } = await price(args, Date.now(), learned)
  console.log(text)
  console.error(note)
  return isWithin ? 0 : 1
}

/** The graph's ledgers, with this month's spending. */
async function ledgersOf(config: Config, redis: RedisConnection | null): Promise<Ledgers> {
  const clientBudgets = clientBudgetsOf(config)
  const ledger = await ledgerOf(config, redis, clientBudgets)
  return new Ledgers(config.monthlyTokenBudget, Date.now, { clientBudgets, ...ledger })
}

/** Examines the service that the graph would ask. */
async function examineService(args: readonly string[], config: Config): Promise<Diagnosis> {
  checkDataDir(config.dataDir)
  const redis = connectionOf(config)
  try {
    return await doctor(args, examined(config, redis), Date.now)
  } finally {
    await redis?.close()
  }
}

const examined = (config: Config, redis: RedisConnection | null) => ({
  url: config.upstreamUrl,
  apiKey: config.upstreamApiKey,
  timeoutMs: config.upstreamTimeoutMs,
  file: fileOf(config),
  ledgers: () => ledgersOf(config, redis),
  about: {
    ...(config.defaultOrganizationId && { organization_id: config.defaultOrganizationId }),
    ...(config.defaultDivisionId && { division_id: config.defaultDivisionId }),
  },
})

async function printDiagnosis(args: readonly string[]): Promise<number> {
  const { text, trouble } = await examineService(args, readConfig())
  console.log(text)
  if (trouble !== null) console.error(trouble)
  return trouble === null ? 0 : 1
}

/** Every command, in the order in which they are listed. */
const commands: Readonly<Record<string, Command>> = {
  bill: {
    summary: 'who spent what: tokens by client, GraphQL operation, day and service operation',
    help: billHelp,
    run: printBill,
  },
  price: {
    summary: 'what the operations of a frontend cost, cold and warm, without a server',
    help: priceHelp,
    run: printPrice,
  },
  doctor: {
    summary: 'what the service at UPSTREAM_URL supports, for at most 25 tokens',
    help: doctorHelp,
    run: printDiagnosis,
  },
}

const usage = usageOf(commands)

const commandOf = (name: string | undefined): Command | undefined =>
  name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined

/** Runs a command. Returns its exit code. */
async function run([command, ...args]: readonly string[]): Promise<number> {
  if (command === 'help' || isHelp(command) || args.some(isHelp)) {
    console.log(commandOf(command === 'help' ? args[0] : command)?.help ?? usage)
    return 0
  }
  const found = commandOf(command)
  if (found) return found.run(args)
  throw new UsageError(command === undefined ? usage : `There is no command ${command}.\n${usage}`)
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  console.error(known.some((kind) => error instanceof kind) ? (error as Error).message : error)
  process.exitCode = 1
}
