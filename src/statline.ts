import { bill } from './commands/bill.ts'
import { UsageError } from './commands/usage-error.ts'
import { ConfigError, readConfig } from './config.ts'
import { NoLedgerError } from './money/read-ledger.ts'

const usage = `statline bill    who spent what: tokens by client, GraphQL operation, day and service operation`

const known = [ConfigError, NoLedgerError, UsageError]

/** Runs a command; its exit code. */
async function run([command, ...args]: readonly string[]): Promise<number> {
  switch (command) {
    case 'bill':
      console.log(bill(args, readConfig().dataDir, Date.now()))
      return 0
    default:
      throw new UsageError(usage)
  }
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  console.error(known.some((kind) => error instanceof kind) ? (error as Error).message : error)
  process.exitCode = 1
}
