import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const program = resolve(import.meta.dirname, '../../bin/statline.js')
const folder = mkdtempSync(join(tmpdir(), 'statline-command-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs `npx statline` in an empty folder. */
function statline(...args: string[]) {
  const { PATH = '' } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH },
  })
  return { status, stdout, stderr }
}

test.each(['bill', 'price', 'doctor'])('%s --help prints how it is called', (command) => {
  expect(statline(command, '--help')).toEqual({
    status: 0,
    stdout: expect.stringMatching(`^statline ${command} .*\\[--`),
    stderr: '',
  })
})

test.each(['--help', '-h', 'help'])('%s lists the commands', (argument) => {
  const { status, stdout } = statline(argument)
  expect(status).toBe(0)
  for (const command of ['bill', 'price', 'doctor']) expect(stdout).toContain(`statline ${command} `)
})

test.each(['bill', 'price', 'doctor'])('help %s prints the same as its --help', (command) => {
  expect(statline('help', command)).toEqual(statline(command, '--help'))
})

test('a command that does not exist is named', () => {
  const { status, stdout, stderr } = statline('bil')
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^There is no command bil\.\nstatline bill /)
})

test('a folder without a ledger is named, and nothing is written', () => {
  const { status, stderr } = statline('bill')
  expect(status).toBe(1)
  expect(stderr).toMatch(/^There is no ledger at .*ledger\.sqlite\. DATA_DIR names its folder\.\n$/)
})
