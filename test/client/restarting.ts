import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { basketball, startSample, today } from '../graph/harness.ts'

const program = resolve(import.meta.dirname, '../../dist/main.js')

async function listening(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((is) => server.listen(0, '127.0.0.1', is))
  const { port } = server.address() as AddressInfo // a server on a port
  const close = () => new Promise((is) => (server.close(is), server.closeAllConnections()))
  return { port, close }
}

/** A port that was free a moment ago. A restarted server uses it again. */
async function freePort(): Promise<number> {
  const { port, close } = await listening(() => {})
  await close()
  return port
}

/**
 * Statline as a process that is restarted by a signal, over a service in which a game's score changes with
 * each restart.
 */
export async function startRestarting() {
  const sample = await startSample()
  const [game] = await sample.rows('game/getGames', { ...basketball, start_date: today })
  const live = String(game?.['game_id'])
  let points = 100
  const service = await listening((request, response) => {
    const { method = 'GET', url = '/', headers } = request
    void (async () => {
      const { 'x-api-key': key = '' } = headers
      const answer = await fetch(new URL(url, sample.url), { method, headers: { 'x-api-key': String(key) } })
      const rows = (await answer.json()) as Record<string, { home_score?: number }>
      const row = rows[live]
      if (row?.home_score !== undefined) row.home_score = points
      const usage = answer.headers.get('x-request-usage') ?? '1'
      response.writeHead(200, { 'content-type': 'application/json', 'x-request-usage': usage })
      response.end(JSON.stringify(rows))
    })()
  })
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'statline-restart-'))
  const environment = {
    PATH: process.env['PATH'] ?? '',
    PORT: String(port),
    DATA_DIR: folder,
    DRAIN_SECONDS: '0',
    LOG_LEVEL: 'silent',
    // Rows outlive the process: what it finds again has to have aged.
    FRESH_LIVE: '1',
    FRESH_CURRENT: '1',
    UPSTREAM_URL: `http://127.0.0.1:${service.port}/v1`,
    UPSTREAM_API_KEY: 'sample-paid',
    DEFAULT_ORGANIZATION_ID: basketball.organization_id,
    DEFAULT_DIVISION_ID: basketball.division_id,
  }
  let child = await started(environment)

  /**
   * Ends the process by a signal and starts another. Resolves with its exit code, or the signal that ended
   * it.
   */
  async function restart(signal: NodeJS.Signals) {
    const ended = new Promise((is) => child.once('exit', (code, died) => is(died ?? code)))
    child.kill(signal)
    const how = await ended
    points += 1
    child = await started(environment)
    return how
  }

  const state = () => [live, String(points)]
  const ends: unknown[] = []
  const control = await listening((request, response) => {
    const [, command, signal] = (request.url ?? '').split('/')
    const done = command === 'restart' ? restart(signal as NodeJS.Signals) : Promise.resolve(null)
    void done.then((how) => {
      if (how !== null) ends.push(how)
      response.end(JSON.stringify(state()))
    })
  })
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    control: `http://127.0.0.1:${control.port}`,
    live,
    /** How the processes ended, in turn. */
    ends,
    async close() {
      child.kill('SIGKILL')
      await control.close()
      await service.close()
      await sample.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function started(environment: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((is, failed) => {
    child.once('exit', (code) => failed(new Error(`Statline ended with ${code}.`)))
    child.stdout?.on('data', (text: Buffer) => text.includes('The graph listens') && is())
  })
  child.removeAllListeners('exit')
  return child
}
