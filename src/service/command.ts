import { parseArgs } from 'node:util'
import { importSeason, isSourceName, sourceNames } from './importing.ts'
import type { ImportOptions } from './import/season.ts'
import { keysHelp, runKeys } from './keys/command.ts'
import type { Clock } from './keys/keys.ts'
import { sampleKeys } from './keys/keys.ts'
import { leagueKeys } from './leagues/leagues.ts'
import { serve } from './serve.ts'
import type { ServiceSettings } from './serve.ts'
import { processTerminal, CommandError } from './terminal.ts'
import type { Terminal } from './terminal.ts'

const options = {
  sample: { type: 'boolean' },
  clock: { type: 'string' },
  league: { type: 'string' },
  season: { type: 'string' },
  'closing-lines': { type: 'boolean' },
  plan: { type: 'string' },
  name: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/**
 * Runs `npm run service` and resolves when it is done, for a served league when the terminal's signal is
 * aborted.
 *
 * @returns the exit code: 0 when all went well, 1 for a failure and 2 for a mistyped command, each told in
 * one line
 */
export async function runServiceCommand(
  args: readonly string[],
  settings: ServiceSettings,
  terminal: Terminal = processTerminal(),
): Promise<number> {
  try {
    await run(args, settings, terminal)
    return 0
  } catch (error) {
    terminal.err(error instanceof Error ? error.message : String(error))
    return error instanceof CommandError ? 2 : 1
  }
}

/** A command. If a part is missing, it does not compile. */
interface ServiceCommand {
  /** Its lines of the help. */
  readonly help: string
  readonly run: (
    args: readonly string[],
    flags: Flags,
    settings: ServiceSettings,
    terminal: Terminal,
  ) => Promise<void>
}

/** Every command, in the order in which the help lists them. */
const commands: Readonly<Record<string, ServiceCommand>> = {
  import: {
    help: `  import ${sourceNames.join('|')} DIR
                                   read a season of public data from DIR, beside those imported already
    --league NAME                  into a league of its own, such as ${leagueKeys.slice(0, 2).join(' or ')}
    --season YEAR                  that season, where DIR has several
    --closing-lines                predictions use the closing spread of games that have one`,
    run: runImport,
  },
  keys: {
    help: keysHelp,
    run: (args, flags, settings, terminal) =>
      runKeys(args, flags, settings, terminal, clockFrom(flags.clock)),
  },
}

const help = () => `Usage: npm run service -- [command] [options]

  (no command)                     serve what has been imported, or else the sample league
    --sample                       serve the sample league, whatever has been imported
    --clock TIME                   start at this time, such as 2026-02-14T20:00:00Z; it goes on from there
${Object.values(commands)
  .map((command) => command.help)
  .join('\n')}
  --help                           show this`

async function run(args: readonly string[], settings: ServiceSettings, terminal: Terminal): Promise<void> {
  const { values, positionals } = read(args)
  const [command, ...rest] = positionals
  if (values.help) return terminal.out(help())
  if (command === undefined) return serveUntilEnded(values, settings, terminal)
  const found = Object.hasOwn(commands, command) ? commands[command] : undefined
  if (!found) throw new CommandError(`Unknown command ${command}: see --help.`)
  return found.run(rest, values, settings, terminal)
}

function read(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error))
  }
}

type Flags = ReturnType<typeof read>['values']

interface ServeFlags {
  readonly sample?: boolean | undefined
  readonly clock?: string | undefined
}

async function serveUntilEnded(
  flags: ServeFlags,
  settings: ServiceSettings,
  terminal: Terminal,
): Promise<void> {
  const served = await serve(settings, { sample: flags.sample ?? false, clock: clockFrom(flags.clock) })
  const keys =
    served.source === 'sample'
      ? `the sample league; its keys are ${Object.keys(sampleKeys).join(', ')}`
      : 'imported seasons'
  terminal.out(`The statistics service listens on ${served.url} over ${keys}`)
  await ended(terminal.signal)
  await served.close()
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** A clock that starts at the given time, or the real time. */
function clockFrom(start: string | undefined): Clock {
  if (start === undefined) return Date.now
  const ahead = Date.parse(start) - Date.now()
  if (Number.isNaN(ahead)) throw new CommandError('--clock takes a time such as 2026-02-14T20:00:00Z.')
  return () => Date.now() + ahead
}

interface ImportFlags {
  readonly league?: string | undefined
  readonly season?: string | undefined
  readonly 'closing-lines'?: boolean | undefined
}

function importOptions({ league, season, ...flags }: ImportFlags): ImportOptions {
  if (league !== undefined && !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(league))
    throw new CommandError('--league takes a name of small letters, digits and dashes.')
  if (season !== undefined && !/^\d{4}$/.test(season)) throw new CommandError('--season takes a year.')
  return {
    ...(league === undefined ? {} : { league }),
    ...(season === undefined ? {} : { season: Number(season) }),
    ...(flags['closing-lines'] ? { closingLines: true } : {}),
  }
}

async function runImport(
  args: readonly string[],
  flags: ImportFlags,
  settings: ServiceSettings,
  terminal: Terminal,
): Promise<void> {
  const [source, folder, ...rest] = args
  if (source === undefined || folder === undefined || rest.length > 0 || !isSourceName(source))
    throw new CommandError(`import takes ${sourceNames.join(' or ')}, and a folder.`)
  const { signal } = terminal
  const options = importOptions(flags)
  const lines = await importSeason(source, folder, settings, signal, options).catch((error: unknown) => {
    throw signal.aborted ? new Error('Interrupted: the database is as it was before.') : error
  })
  for (const line of lines) terminal.out(line)
}
