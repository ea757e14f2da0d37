import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { LedgerFile } from '../../src/money/ledger-file.ts'

const program = resolve(import.meta.dirname, '../../dist/main.js')

/** Limits the size of a process's files, and can lift the limit while it runs. */
const prlimit = '/usr/bin/prlimit'
const missing = existsSync(prlimit) ? '' : ' (skipped: prlimit is not installed)'

/** Bytes that a file may have: the ledger and the rows fill it within a hundred queries. */
const room = 300_000

const closing: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A service whose answers cost one token each. */
async function service() {
  const account = { tokens: 0 }
  const server = createServer((request, response) => {
    let asked = request.url ?? ''
    request.on('data', (part: Buffer) => (asked += part.toString()))
    request.on('end', () => {
      account.tokens += 1
      const [id = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(decodeURIComponent(asked)) ?? []
      const name = Array.from({ length: 100 }, () => Math.random()).join('')
      response.writeHead(200, { 'x-request-usage': '1' }).end(JSON.stringify({ [id]: { team_id: id, name } }))
    })
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  closing.push(() => void server.close().closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, account } // on TCP
}

async function start(folder: string, upstream: string) {
  const { PATH = '' } = process.env
  const own = { PATH, DATA_DIR: folder, PORT: '0', UPSTREAM_URL: upstream, UPSTREAM_API_KEY: 'k' }
  const child = spawn(prlimit, [`--fsize=${room}:unlimited`, process.execPath, program], {
    env: { ...own, LOG_LEVEL: 'silent' },
  })
  closing.push(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (output += part.toString()))
  await expect.poll(() => output, { timeout: 60_000 }).toContain('The graph listens')
  const url = /listens on (\S+)/.exec(output)?.[1] ?? ''
  return { child, url, printed: () => output }
}

test.skipIf(missing !== '')(
  `where the disk is full, queries are answered, it is told once, and no token is lost when there is room${missing}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'disk-full-'))
    closing.push(() => rmSync(folder, { recursive: true, force: true }))
    const { url: upstream, account } = await service()
    const { child, url, printed } = await start(folder, upstream)
    let [told, asked] = [0, 0]
    const ask = async () => {
      const id = `00000000-0000-4000-8000-${String((asked += 1)).padStart(12, '0')}`
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'graphql-client-name': `client ${asked}` },
        body: JSON.stringify({ query: `query Q${asked} { team(id: "${id}") { name } }` }),
      })
      const { errors, extensions } = (await response.json()) as {
        errors?: unknown
        extensions: { usage: { tokens: number } }
      }
      expect(errors).toBeUndefined()
      told += extensions.usage.tokens
    }
    const ledger = async () => {
      const answer = await fetch(url.replace('/graphql', '/ready'))
      return ((await answer.json()) as { parts: Record<string, { status: string }> }).parts['ledger']?.status
    }
    for (let nth = 0; nth < 1_000 && (await ledger()) === 'ok'; nth += 1) await ask()
    expect(await ledger()).toBe('degraded')
    for (let more = 0; more < 50; more += 1) await ask()
    expect(printed().match(/The ledger in DATA_DIR .* cannot be written/g)).toHaveLength(1)
    await promisify(execFile)(prlimit, [`--pid=${child.pid}`, '--fsize=unlimited'])
    await expect
      .poll(async () => {
        await ask()
        return ledger()
      })
      .toBe('ok')
    child.kill('SIGTERM')
    expect(await new Promise((ended) => child.once('exit', ended))).toBe(0)
    const written = new LedgerFile(folder, Date.now())
    const rows = await written.spending('2000-01-01', '2100-01-01')
    await written.close()
    const sum = (name: 'tokens' | 'estimated') => rows.reduce((all, row) => all + row[name], 0)
    expect([sum('tokens'), sum('estimated'), told]).toEqual([account.tokens, 0, account.tokens])
  },
)
