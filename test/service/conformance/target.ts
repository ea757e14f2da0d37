import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { serve } from '../../../src/service/serve.ts'
import { sampleNow } from '../../sample.setup.ts'
import { clientOf, within } from '../client.ts'
import type { Client, Json, Reply } from '../client.ts'

/** A running service, known by its address and its keys alone. */
export interface Target {
  readonly url: string
  readonly paid: Client
  /** Null if no key of the plan was given. */
  readonly trial: Client | null
  readonly lapsed: Client | null
  stop(): Promise<void>
}

/**
 * The service at CONFORMANCE_URL with the keys CONFORMANCE_KEY (paid, with read access),
 * CONFORMANCE_TRIAL_KEY and CONFORMANCE_LAPSED_KEY; without an address, our own over the sample league.
 */
export async function openTarget(): Promise<Target> {
  const { CONFORMANCE_URL: url, CONFORMANCE_KEY, CONFORMANCE_TRIAL_KEY, CONFORMANCE_LAPSED_KEY } = process.env
  if (url === undefined) return openSample()
  const optional = (key: string | undefined) => (key === undefined ? null : clientOf(url, key))
  return {
    url,
    paid: clientOf(url, CONFORMANCE_KEY),
    trial: optional(CONFORMANCE_TRIAL_KEY),
    lapsed: optional(CONFORMANCE_LAPSED_KEY),
    stop: async () => {},
  }
}

async function openSample(): Promise<Target> {
  const dataDir = mkdtempSync(join(tmpdir(), 'statline-'))
  cpSync(inject('sampleOrigin'), join(dataDir, 'sample'), { recursive: true })
  const settings = { host: '127.0.0.1', port: 0, dataDir }
  const { url, close } = await serve(settings, { sample: true, clock: () => sampleNow })
  return {
    url,
    paid: clientOf(url, 'sample-paid'),
    trial: clientOf(url, 'sample-trial'),
    lapsed: clientOf(url, 'sample-lapsed'),
    stop: async () => {
      await close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A league with finished games, and one of those games. */
export interface League {
  readonly place: { readonly organization_id: string; readonly division_id: string }
  readonly season: number
  readonly day: string
  readonly game: Json
  readonly home: string
  readonly away: string
}

/** The league of a sport: the one whose boxscores have the sport's key. Null if the service has none. */
export async function leagueOf(client: Client, sport: 'basketball' | 'football'): Promise<League | null> {
  const organizations = await rowsOf(client.get('organization/read', { inactive: 0 }))
  for (const { organization_id } of organizations) {
    const boxscore = (await client.get('boxscore/getBoxscore', { organization_id, final: 1 })).body
    if (`${sport}_boxscore_id` in boxscore) return leagueAt(client, boxscore)
  }
  return null
}

async function leagueAt(client: Client, boxscore: Json): Promise<League> {
  const game = (await client.get('game/get', { game_id: boxscore['game_id'] })).body
  return {
    place: { organization_id: String(game['organization_id']), division_id: String(game['division_id']) },
    season: Number(game['season']),
    day: String(game['start_date']).slice(0, 10),
    game,
    home: String(game['home_team_id']),
    away: String(game['away_team_id']),
  }
}

/** The rows of an answer that is keyed by id. */
export async function rowsOf(reply: Promise<Reply>): Promise<Json[]> {
  const { body } = await reply
  return Object.keys(body).map((id) => within(body, id))
}
