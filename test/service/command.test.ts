import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { runServiceCommand } from '../../src/service/command.ts'
import type { ServiceSettings } from '../../src/service/serve.ts'
import type { Terminal } from '../../src/service/terminal.ts'
import { sampleNow } from '../sample.setup.ts'
import { clientOf, codeOf } from './client.ts'
import { folderOf, smallNcaa } from './import/small-source.ts'

const at = new Date(sampleNow).toISOString()

let dataDir: string
let settings: ServiceSettings

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'statline-'))
  settings = { host: '127.0.0.1', port: 0, dataDir }
  cpSync(inject('sampleOrigin'), join(dataDir, 'sample'), { recursive: true })
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

function terminal() {
  const lines: string[] = []
  const ending = new AbortController()
  const out = (line: string) => void lines.push(line)
  const asked: Terminal = { out, err: out, signal: ending.signal }
  return { lines, asked, end: () => ending.abort() }
}

async function run(...args: string[]) {
  const { lines, asked } = terminal()
  return { code: await runServiceCommand(args, settings, asked), lines }
}

/** Serves the sample league at its own time until the work is done. */
async function whileServing(work: (url: string) => Promise<void>): Promise<number> {
  const { lines, asked, end } = terminal()
  const running = runServiceCommand(['--clock', at], settings, asked)
  await expect.poll(() => lines.length).toBeGreaterThan(0)
  try {
    await work(/http:\S+/.exec(lines[0] ?? '')?.[0] ?? `nothing was served: ${lines[0]}`)
  } finally {
    end()
  }
  return running
}

test('the sample league is served to its three keys, and a signal ends it with 0', async () => {
  const code = await whileServing(async (url) => {
    for (const key of ['sample-paid', 'sample-trial', 'sample-lapsed'])
      expect(
        Object.keys((await clientOf(url, key).get('organization/read', { inactive: 0 })).body),
      ).toHaveLength(2)
    expect(codeOf(await clientOf(url, 'sample-trial').get('elo/read'))).toBe('access_denied')
    expect(codeOf(await clientOf(url, 'sample').get('organization/read'))).toBe('invalid_key')
  })
  expect(code).toBe(0)
})

test('a key that was added is known until it is revoked', async () => {
  const added = await run('keys', 'add', '--plan', 'paid', '--name', 'a dashboard')
  const [id = '', key = ''] = added.lines.map((line) => line.split(/\s+/)[1])
  expect((await run('keys', 'list')).lines.find((line) => line.startsWith(id))).toMatch(
    /paid {2}a dashboard {2}in use {2}0 tokens/,
  )
  await whileServing(async (url) => {
    const reply = await clientOf(url, key).get('organization/read')
    expect(reply.usage).toBe(1)
    expect((await run('keys', 'revoke', id)).code).toBe(0)
    expect(codeOf(await clientOf(url, key).get('organization/read'))).toBe('invalid_key')
  })
  const listed = (await run('keys', 'list', '--clock', at)).lines.find((line) => line.startsWith(id))
  expect(listed).toMatch(/revoked \d{4}-\d\d-\d\d {2}1 tokens, 1 calls/)
  expect(listed).not.toContain(key)
  expect(await run('keys', 'revoke', id)).toMatchObject({ code: 1, lines: [expect.stringContaining(id)] })
})

test('a port that is taken is one clear line', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo // listening on TCP
  const { lines, asked } = terminal()
  expect(await runServiceCommand([], { ...settings, port }, asked)).toBe(1)
  expect(lines).toEqual([
    `The statistics service cannot listen on 127.0.0.1:${port}, which HOST and SERVICE_PORT name: the port is taken.`,
  ])
  other.close()
})

test('a mistyped command is one line, and 2', async () => {
  const mistakes = [
    ['serve'],
    ['--port', '1'],
    ['--clock', 'noon'],
    ['import'],
    ['import', 'espn', '.'],
    ['import', 'constructor', '.'],
    ['import', 'ncaa-hoops', '.', '--league', 'Two Words'],
    ['import', 'ncaa-hoops', '.', '--season', 'last'],
    ['keys'],
    ['keys', 'add'],
    ['keys', 'add', '--plan', 'gold'],
    ['keys', 'revoke'],
  ]
  for (const mistake of mistakes) {
    const { code, lines } = await run(...mistake)
    expect([mistake, code, lines.length]).toEqual([mistake, 2, 1])
    expect(lines[0]).not.toContain('\n')
  }
})

test('an import from a folder without the files is one line, and the sample league is still served', async () => {
  const { code, lines } = await run('import', 'ncaa-hoops', dataDir)
  expect([code, lines.length]).toEqual([1, 1])
  await whileServing(async (url) => {
    expect(codeOf(await clientOf(url, 'sample-paid').get('team/get'))).toBeUndefined()
  })
})

test('an import that is interrupted says so in one line, and leaves the database as it was', async () => {
  const source = folderOf(smallNcaa)
  const { lines, asked, end } = terminal()
  end()
  expect(await runServiceCommand(['import', 'ncaa-hoops', source.path], settings, asked)).toBe(1)
  expect(lines).toEqual(['Interrupted: the database is as it was before.'])
  await whileServing(async (url) => {
    expect(codeOf(await clientOf(url, 'sample-paid').get('team/get'))).toBeUndefined()
  })
  source.remove()
})

test('--help names every command', async () => {
  const { code, lines } = await run('--help')
  expect(code).toBe(0)
  for (const word of [
    'import ncaa-hoops',
    '--league',
    '--season',
    'keys add',
    'keys list',
    'keys revoke',
    '--sample',
    '--clock',
  ])
    expect(lines.join('\n')).toContain(word)
})

test('--clock sets the time that the league lives by', async () => {
  await whileServing(async (url) => {
    const client = clientOf(url, 'sample-paid')
    const games = Object.values((await client.get('game/read', { start_date: at.slice(0, 10) })).body)
    const states = games.map((game) => (game as { status: string }).status) // a row of game
    expect(new Set(states)).toEqual(new Set(['final', 'in_progress', 'scheduled']))
  })
})
