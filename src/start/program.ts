import { CapabilitiesError } from '../capabilities/file.ts'
import { ConfigError, readConfig } from '../config.ts'
import { checkDataDir } from './data-dir.ts'
import { ClientBudgetsError } from '../money/client-budgets.ts'
import { ManifestError } from '../server/documents.ts'
import { ListenError } from '../server/listen.ts'
import { runServiceCommand } from '../service/command.ts'
import { WrongSourceError } from '../service/serve.ts'
import { PortTakenError } from '../service/service.ts'
import { DatabaseUnavailableError } from '../service/store/unavailable.ts'
import { SpendingUnknownError } from './spending-file.ts'
import { closeOnSignal } from './signals.ts'
import { start } from './start.ts'
import { TapeError } from '../calls/tape/tape.ts'

/** Errors of the configuration or the environment. They are printed as one message, without a stack. */
const known = [
  CapabilitiesError,
  ConfigError,
  DatabaseUnavailableError,
  ListenError,
  ManifestError,
  ClientBudgetsError,
  SpendingUnknownError,
  TapeError,
  WrongSourceError,
  PortTakenError,
]

/** Runs the program with its arguments. Says in one line why it cannot. */
export async function main(): Promise<void> {
  const [command, ...args] = process.argv.slice(2)
  try {
    const config = readConfig()
    for (const warning of config.warnings) console.warn(warning)
    if (command === 'service') {
      const { host, servicePort: port, dataDir, databaseUrl } = config
      checkDataDir(dataDir)
      process.exitCode = await runServiceCommand(args, {
        host,
        port,
        dataDir,
        databaseUrl: databaseUrl ?? undefined,
      })
    } else if (command !== undefined) {
      console.error(`There is no command ${command}: leave it out, or write service.`)
      process.exitCode = 1
    } else {
      const started = start(config)
      closeOnSignal(started, config.drainSeconds)
      await started
    }
  } catch (error) {
    console.error(known.some((kind) => error instanceof kind) ? (error as Error).message : error)
    process.exitCode = 1
  }
}
