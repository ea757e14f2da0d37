import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { example, missing } from '../../federation/packages.ts'
import { freePort } from '../../free-port.ts'

const query = `{ league { games(date: "${new Date().toISOString().slice(0, 10)}") { homeTeam { name } tickets { sold } } } }`

interface Day {
  readonly data: {
    readonly league: {
      readonly games: readonly { homeTeam: { name: string }; tickets: { sold: number } }[]
    }
  }
}

const portNames = ['STATLINE_PORT', 'SERVICE_PORT', 'TICKETS_PORT', 'PORT'] as const

it.skipIf(missing)(
  `one command starts Statline, a subgraph and a gateway, and a signal ends them all${missing ? ` (skipped: ${missing})` : ''}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'statline-supergraph-'))
    const ports = await Promise.all(portNames.map(async (name) => [name, String(await freePort())] as const))
    const env = { ...process.env, DATA_DIR: folder, ...Object.fromEntries(ports) }
    const running = spawn(process.execPath, ['start.js'], { cwd: example, env })
    const supergraph = await new Promise<string>((listening, failed) => {
      running.once('exit', (code) => failed(new Error(`The example ended with ${code}.`)))
      createInterface(running.stdout).on('line', (line) => {
        const [, url] = /supergraph listens on (\S+)/.exec(line) ?? []
        if (url) listening(url)
      })
    })
    const response = await fetch(supergraph, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const { data } = (await response.json()) as Day // what the query asks for
    expect(data.league.games.length).toBeGreaterThan(0)
    expect(data.league.games[0]).toEqual({
      homeTeam: { name: expect.any(String) },
      tickets: { sold: 0 },
    })
    running.kill()
    await once(running, 'exit')
    for (const [, port] of ports) await expect.poll(() => isFree(port)).toBe(true)
    rmSync(folder, { recursive: true })
  },
)

const isFree = (port: string) =>
  fetch(`http://127.0.0.1:${port}/`).then(
    () => false,
    () => true,
  )
