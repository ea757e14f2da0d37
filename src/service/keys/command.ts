import type { ServiceSettings } from '../serve.ts'
import { openDatabase } from '../store/database.ts'
import type { Database } from '../store/database.ts'
import { CommandError } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'
import type { Clock } from './keys.ts'
import { addKey, listKeys, revokeKey } from './keys.ts'
import { monthOf } from './meter.ts'
import { isPlanName, planNames } from './plans.ts'

export interface KeyOptions {
  readonly plan?: string | undefined
  readonly name?: string | undefined
}

/** The lines of `keys` in the help. */
export const keysHelp = `  keys add --plan PLAN [--name N]  make a key (${planNames.join(', ')}); it is shown once
  keys list                        every key with its use this month
  keys revoke ID                   end a key`

/** `keys add`, `keys list` and `keys revoke`. */
export async function runKeys(
  args: readonly string[],
  options: KeyOptions,
  settings: ServiceSettings,
  terminal: Terminal,
  clock: Clock,
): Promise<void> {
  const [action, id, ...rest] = args
  if (rest.length > 0) throw new CommandError(`Unexpected ${rest[0]}: see --help.`)
  if (action === 'add' && id === undefined)
    return withAccounts(settings, (database) => add(database, options, terminal, clock))
  if (action === 'list' && id === undefined)
    return withAccounts(settings, (database) => list(database, terminal, clock))
  if (action === 'revoke' && id !== undefined)
    return withAccounts(settings, (database) => revoke(database, id, terminal, clock))
  throw new CommandError('keys takes add --plan PLAN, list, or revoke ID.')
}

async function withAccounts(
  settings: ServiceSettings,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  // Embedded keys have a file of their own, so the league's rows are not opened.
  const database = await openDatabase(settings.databaseUrl ?? ':memory:', settings.dataDir)
  try {
    await work(database)
  } finally {
    await database.close()
  }
}

async function add(
  { accounts }: Database,
  { plan, name }: KeyOptions,
  terminal: Terminal,
  clock: Clock,
): Promise<void> {
  if (plan === undefined || !isPlanName(plan)) throw new CommandError(`--plan takes ${planNames.join(', ')}.`)
  const { id, key } = await addKey(accounts, clock, plan, name ?? null)
  terminal.out(`id   ${id}`)
  terminal.out(`key  ${key}`)
  terminal.out('The key is not kept: it cannot be shown again.')
}

async function list({ accounts }: Database, terminal: Terminal, clock: Clock): Promise<void> {
  const month = monthOf(clock())
  const keys = await listKeys(accounts, month)
  if (keys.length === 0) return terminal.out('No keys.')
  for (const key of keys) {
    const state = key.revoked_at === null ? 'in use' : `revoked ${key.revoked_at.slice(0, 10)}`
    const use = `${key.tokens ?? 0} tokens, ${key.calls ?? 0} calls in ${month}`
    terminal.out([key.api_key_id, key.plan, key.name ?? '-', state, use].join('  '))
  }
}

async function revoke({ accounts }: Database, id: string, terminal: Terminal, clock: Clock): Promise<void> {
  if (!(await revokeKey(accounts, clock, id))) throw new Error(`No key in use has the id ${id}.`)
  terminal.out(`Revoked ${id}.`)
}
