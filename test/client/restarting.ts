import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listening, startChangingService } from '../changing-service.ts'
import { basketball, startSample, today } from '../graph/harness.ts'
import { started } from '../started.ts'
import { freePort } from '../free-port.ts'

/**
 * Statline as a process that is restarted by a signal, over a service in which a game's score changes with
 * each restart.
 */
export async function startRestarting() {
  const sample = await startSample()
  const [game] = await sample.rows('game/getGames', { ...basketball, start_date: today })
  const live = String(game?.['game_id'])
  let points = 100
  const service = await startChangingService(sample.url, (rows) => {
    const row = rows[live]
    if (row?.['home_score'] !== undefined) row['home_score'] = points
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
    const answer = (how: unknown) => {
      if (how !== null) ends.push(how)
      response.end(JSON.stringify(state()))
    }
    done.then(answer).catch((error: unknown) => response.writeHead(500).end(String(error)))
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
