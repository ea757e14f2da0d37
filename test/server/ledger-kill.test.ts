import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LedgerFile } from '../../src/money/ledger-file.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'ledger-kill-'))

/** Clients that ask side by side. */
const clients = 12
/** Five take seconds; `npm run suites` kills as often as the ledger has to bear. */
const kills = Number(process.env['LEDGER_KILLS'] ?? 5)

/** The service’s own account. Every call costs one token, as one row is estimated. */
const account = { tokens: 0, calls: 0 }
let service: Server
let child: ChildProcess | null = null

beforeAll(async () => {
  await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: root }).catch(() => {})
  service = createServer((request, response) => {
    request.resume().on('end', () => {
      account.tokens += 1
      account.calls += 1
      setTimeout(() => response.writeHead(200, { 'x-request-usage': '1' }).end('{}'), 5)
    })
  })
  await new Promise<void>((listening) => void service.listen(0, '127.0.0.1', listening))
}, 120_000)
afterAll(async () => {
  child?.kill('SIGKILL')
  service.closeAllConnections()
  await new Promise((closed) => service.close(closed))
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the program; resolves with its address. */
async function start(): Promise<string> {
  const { port } = service.address() as AddressInfo // on TCP
  const { PATH = '' } = process.env
  const env = {
    PATH,
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'silent',
    UPSTREAM_URL: `http://127.0.0.1:${port}/v1`,
    UPSTREAM_API_KEY: 'k',
  }
  const started = spawn(process.execPath, [join(root, 'dist/main.js')], { cwd: folder, env })
  child = started
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const [, url] = /The graph listens on (\S+)/.exec(output) ?? []
      if (url) resolve(url)
    }
    started.stdout.on('data', read)
    started.stderr.on('data', read)
    started.once('close', () => reject(new Error(output)))
  })
}

let asked = 0
const counted = { answers: 0 }
const id = () => `00000000-0000-4000-8000-${String((asked += 1)).padStart(12, '0')}`

/** Asks for ever new rows until the server is gone; the tokens that it was told of. */
async function load(url: string): Promise<number> {
  let told = 0
  for (;;) {
    try {
      const query = `query Load { team(id: "${id()}") { name } }`
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
      const { extensions } = (await answer.json()) as { extensions: { usage: { tokens: number } } }
      told += extensions.usage.tokens
      counted.answers += 1
    } catch {
      return told
    }
  }
}

test(`${kills} SIGKILLs under load lose no token and count none twice`, { timeout: 300_000 }, async () => {
  let told = 0
  for (let nth = 0; nth < kills; nth += 1) {
    const loads = start().then((url) => Array.from({ length: clients }, () => load(url)))
    const running = await loads
    const enough = counted.answers + 15 + Math.random() * 40
    while (counted.answers < enough) await wait(1)
    child?.kill('SIGKILL')
    for (const one of await Promise.all(running)) told += one
  }
  const ledger = new LedgerFile(folder, Date.now())
  const rows = await ledger.spending('2000-01-01', '2100-01-01')
  await ledger.close()
  const sum = (name: 'tokens' | 'estimated' | 'calls') => rows.reduce((all, row) => all + row[name], 0)
  expect(told).toBeGreaterThan(kills * clients)
  expect(sum('tokens') - sum('estimated')).toBeGreaterThanOrEqual(told)
  expect(sum('tokens') - sum('estimated')).toBeLessThanOrEqual(account.tokens)
  expect(sum('tokens')).toBeGreaterThanOrEqual(account.tokens)
  // At most what was under way at each kill is booked though the service never saw it.
  expect(sum('tokens') - account.tokens).toBeLessThanOrEqual(kills * clients)
  expect(sum('calls')).toBeGreaterThanOrEqual(account.calls)
  expect(sum('calls') - account.calls).toBeLessThanOrEqual(kills * clients)
})
