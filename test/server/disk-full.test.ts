import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { LedgerFile } from '../../src/money/files/ledger-file.ts'

const program = resolve(import.meta.dirname, '../../dist/main.js')

/** Limits the size of a process's files, and can lift the limit while it runs. */
const prlimit = '/usr/bin/prlimit'
const missing = existsSync(prlimit) ? '' : ' (skipped: prlimit is not installed)'

const cannotBeWritten = /The ledger in DATA_DIR .* cannot be written/g

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

/** Starts a process whose files may have so many bytes. */
async function start(folder: string, upstream: string, room: number | 'unlimited') {
  const { PATH = '' } = process.env
  const own = { PATH, DATA_DIR: folder, PORT: '0', UPSTREAM_URL: upstream, UPSTREAM_API_KEY: 'k' }
  const child = spawn(prlimit, [`--fsize=${room}:unlimited`, process.execPath, program], {
    env: { ...own, LOG_LEVEL: 'silent' },
  })
  closing.push(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (output += part.toString()))
  await expect.poll(() => output).toContain('The graph listens')
  const url = /listens on (\S+)/.exec(output)?.[1] ?? ''
  return { child, url, printed: () => output }
}

/** Asks for one team after the other, and for the state of the ledger. */
function clientOf(url: string) {
  const client = {
    /** The tokens that the answers told of. */
    told: 0,
    asked: 0,
    async query<T>(text: string) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'graphql-client-name': `client ${client.asked}` },
        body: JSON.stringify({ query: text }),
      })
      const answer = (await response.json()) as {
        data: T
        errors?: unknown
        extensions: { usage: { tokens: number } }
      }
      expect(answer.errors).toBeUndefined()
      client.told += answer.extensions.usage.tokens
      return answer.data
    },
    async ask() {
      const nth = (client.asked += 1)
      const id = `${String(Date.now() % 1e8).padStart(8, '0')}-0000-4000-8000-${String(nth).padStart(12, '0')}`
      await client.query(`query Q${nth} { team(id: "${id}") { name } }`)
    },
    async ledger() {
      const answer = await fetch(url.replace('/graphql', '/ready'))
      return ((await answer.json()) as { parts: Record<string, { status: string }> }).parts['ledger']?.status
    },
  }
  return client
}

/** Asks until the ledger cannot be written: it and the rows fill the room within a hundred queries. */
async function filled(client: ReturnType<typeof clientOf>) {
  for (let nth = 0; nth < 1_000 && (await client.ledger()) === 'ok'; nth += 1) await client.ask()
  expect(await client.ledger()).toBe('degraded')
}

/** Asks until the ledger can be written again. */
const written = (client: ReturnType<typeof clientOf>) =>
  expect
    .poll(async () => {
      await client.ask()
      return client.ledger()
    })
    .toBe('ok')

const liftLimit = ({ pid }: ChildProcess) =>
  promisify(execFile)(prlimit, [`--pid=${pid}`, '--fsize=unlimited'])

async function stop(child: ChildProcess) {
  child.kill('SIGTERM')
  expect(await new Promise((ended) => child.once('exit', ended))).toBe(0)
}

/** The tokens in the ledger, and those of them that are estimated. */
async function spentIn(folder: string) {
  const ledger = new LedgerFile(folder, Date.now())
  const rows = await ledger.spending('2000-01-01', '2100-01-01')
  await ledger.close()
  return {
    tokens: rows.reduce((sum, row) => sum + row.tokens, 0),
    estimated: rows.reduce((sum, row) => sum + row.estimated, 0),
  }
}

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'disk-full-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test.skipIf(missing !== '')(
  `where the disk is full, queries are answered, it is told once, and no token is lost when there is room${missing}`,
  async () => {
    const folder = newFolder()
    const { url: upstream, account } = await service()
    const { child, url, printed } = await start(folder, upstream, 300_000)
    const client = clientOf(url)
    await filled(client)
    for (let more = 0; more < 50; more += 1) await client.ask()
    expect(printed().match(cannotBeWritten)).toHaveLength(1)
    await liftLimit(child)
    await written(client)
    await stop(child)
    expect(client.told).toBe(account.tokens)
    expect(await spentIn(folder)).toEqual({ tokens: account.tokens, estimated: 0 })
  },
)

test.skipIf(missing !== '')(
  `what a full disk does not take before the end is told then${missing}`,
  async () => {
    const folder = newFolder()
    const { url: upstream, account } = await service()
    const { child, url, printed } = await start(folder, upstream, 300_000)
    const client = clientOf(url)
    await filled(client)
    const stored = client.told
    for (let more = 0; more < 7; more += 1) await client.ask()
    await stop(child)
    const [, tokens = '', calls = ''] =
      /Bills could not be written and are lost: (\d+) tokens, (\d+) calls\. By client: (?:client \d+ 1, ){5}and \d+ more\./.exec(
        printed(),
      ) ?? []
    expect(client.told - stored).toBe(7)
    expect(Number(tokens)).toBeGreaterThanOrEqual(7)
    expect(calls).toBe(tokens)
    // A call of which only the reservation was written is estimated at the next start.
    const inFile = await spentIn(folder)
    expect(inFile.tokens - inFile.estimated + Number(tokens)).toBe(account.tokens)
    // Files that could not be replaced leave nothing beside them.
    expect(readdirSync(folder).filter((name) => name.endsWith('.next'))).toEqual([])
  },
)

test.skipIf(missing !== '')(
  `a start on a full disk goes on with the month, and no token is lost when there is room${missing}`,
  async () => {
    const folder = newFolder()
    const { url: upstream, account } = await service()
    const first = await start(folder, upstream, 'unlimited')
    const before = clientOf(first.url)
    for (let nth = 0; nth < 5; nth += 1) await before.ask()
    await stop(first.child)

    const { child, url, printed } = await start(folder, upstream, 1_000)
    const client = clientOf(url)
    expect(await client.ledger()).toBe('degraded')
    const { usage } = await client.query<{ usage: { tokens: number } }>('{ usage { tokens } }')
    expect(usage.tokens).toBe(5)
    for (let more = 0; more < 10; more += 1) await client.ask()
    expect(printed().match(cannotBeWritten)).toHaveLength(1)
    await liftLimit(child)
    await written(client)
    await stop(child)
    expect(before.told + client.told).toBe(account.tokens)
    expect(await spentIn(folder)).toEqual({ tokens: account.tokens, estimated: 0 })
  },
)
