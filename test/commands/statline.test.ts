import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import LibsqlDatabase from 'libsql'
import { afterAll, expect, test } from 'vitest'
import { LedgerFile } from '../../src/money/files/ledger-file.ts'

const program = resolve(import.meta.dirname, '../../bin/statline.js')
const folder = mkdtempSync(join(tmpdir(), 'statline-command-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs `npx statline` in an empty folder. */
const statline = (...args: string[]) => statlineIn(folder, ...args)

function statlineIn(dataDir: string, ...args: string[]) {
  const { PATH = '' } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH, DATA_DIR: dataDir },
  })
  return { status, stdout, stderr }
}

/** The list of commands, and their names in it. */
const list = statline('help')
const names = Array.from(list.stdout.matchAll(/^statline (\w+) +\w/gm), ([, name = '']) => name)

test.each(names)('%s --help prints how it is called, and what each option means', (command) => {
  const { status, stdout, stderr } = statline(command, '--help')
  expect([status, stderr]).toEqual([0, ''])
  const [synopsis = '', options = ''] = stdout.split('\n\n')
  expect(synopsis).toMatch(new RegExp(`^statline ${command} .*\\[--`))
  for (const [option] of synopsis.matchAll(/--[a-z]+/g))
    expect(options).toMatch(new RegExp(`^ .*${option}\\b.*  \\w`, 'm'))
})

test('help lists the commands', () => {
  expect([list.status, names]).toEqual([0, ['bill', 'price', 'doctor']])
})

test.each(['--help', '-h'])('%s lists the commands, too', (argument) => {
  expect(statline(argument)).toEqual(list)
})

test.each(names)('help %s prints the same as its --help', (command) => {
  expect(statline('help', command)).toEqual(statline(command, '--help'))
})

test('a command that does not exist is named', () => {
  const { status, stdout, stderr } = statline('bil')
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^There is no command bil\.\nstatline bill /)
})

test('a name that every object has is no command', () => {
  expect(statline('toString')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^There is no command/),
  })
})

test('a folder without a ledger is named, and nothing is written', () => {
  const { status, stderr } = statline('bill')
  expect(status).toBe(1)
  expect(stderr).toMatch(/^There is no ledger at .*ledger\.sqlite\. DATA_DIR names its folder\.\n$/)
})

/** A new ledger as earlier versions wrote it: its tables are in its log alone. */
function newLedger(file: string, tables: readonly string[]) {
  rmSync(file)
  const database = new LibsqlDatabase(file)
  database.exec('pragma journal_mode = wal')
  for (const table of tables) database.exec(table)
  return database
}

/** A ledger as SQLite leaves it when its process is killed: the newest bill is beside the file, in its log. */
async function killedLedger(name: string, isNew = false): Promise<string> {
  const [own, copy] = [join(folder, `${name}-own`), join(folder, name)]
  await new LedgerFile(own, Date.now()).close()
  const file = join(own, 'ledger.sqlite')
  const whole = new LibsqlDatabase(file)
  const tables = whole.prepare('select sql from sqlite_master').all() as { readonly sql: string }[] // its column
  const database = isNew
    ? newLedger(
        file,
        tables.map(({ sql }) => sql),
      )
    : whole
  const spend = (day: string, tokens: number) =>
    database.exec(
      `insert into spending values ('${day}', '12', 'k', 'web', 'Q', 'team/read', ${tokens}, 0, 1, 1)`,
    )
  spend('2026-02-13', 1)
  if (!isNew) database.exec('pragma wal_checkpoint(truncate)')
  spend('2026-02-14', 10)
  mkdirSync(copy)
  for (const file of ['ledger.sqlite', 'ledger.sqlite-wal']) copyFileSync(join(own, file), join(copy, file))
  database.close()
  return copy
}

/**
 * As in a folder that cannot be written, SQLite finds no index of the log beside the file, and makes none: it
 * follows no link there.
 */
const withoutIndex = (dataDir: string) => symlinkSync('nowhere', join(dataDir, 'ledger.sqlite-shm'))

const month = ['bill', '--month', '2026-02', '--by', 'client', '--csv', '--compare']

test('where the newest bills cannot be read, the bill says so once, and what helps', async () => {
  const dataDir = await killedLedger('unwritable')
  withoutIndex(dataDir)
  const { status, stdout, stderr } = statlineIn(dataDir, ...month)
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^web,1,/m)])
  expect(stderr).toMatch(
    /^The newest bills may be missing: \S+ledger\.sqlite-wal cannot be read, because nothing can be written beside it\. Copy [^\n]+\n$/,
  )
})

test('where not even the tables of an earlier version’s new ledger can be read, the bill says so, too', async () => {
  const dataDir = await killedLedger('new', true)
  withoutIndex(dataDir)
  const { status, stderr } = statlineIn(dataDir, ...month)
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /^The newest bills may be missing: [^\n]+\n\S+ledger\.sqlite cannot be read as a ledger: no such table[^\n]+\n$/,
  )
})

test.each([
  ['is empty', (log: string) => truncateSync(log)],
  ['is not there', (log: string) => rmSync(log)],
])('where the log of the newest bills %s, nothing is missing, and nothing is said', async (what, change) => {
  const dataDir = await killedLedger(what.replaceAll(' ', '-'))
  withoutIndex(dataDir)
  change(join(dataDir, 'ledger.sqlite-wal'))
  expect(statlineIn(dataDir, ...month)).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^web,1,/m),
    stderr: '',
  })
})

test('where something can be written beside the ledger, the bill has the newest bills', async () => {
  expect(statlineIn(await killedLedger('writable'), ...month)).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^web,11,/m),
    stderr: '',
  })
})
