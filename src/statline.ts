import { bill } from './commands/bill.ts'
import { price } from './commands/price.ts'
import { UsageError } from './commands/usage-error.ts'
import { ConfigError, readConfig } from './config.ts'
import type { Config } from './config.ts'
import { NoLedgerError, readLedger } from './money/read-ledger.ts'

const usage = `statline bill    who spent what: tokens by client, GraphQL operation, day and service operation
statline price   what the operations of a frontend cost, cold and warm, without a server`

const known = [ConfigError, NoLedgerError, UsageError]

const ledgerOf =
  ({ dataDir }: Config) =>
  async (from: string, to: string) =>
    readLedger(dataDir, from, to)

/** Runs a command; its exit code. */
async function run([command, ...args]: readonly string[]): Promise<number> {
  switch (command) {
    case 'bill':
      console.log(await bill(args, ledgerOf(readConfig()), Date.now()))
      return 0
    case 'price': {
      const { text, isWithin } = await price(args, Date.now())
      console.log(text)
      return isWithin ? 0 : 1
    }
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
