import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { printedSubgraph } from '../../../src/schema.ts'
import { missing } from '../../federation/packages.ts'
import { season, today } from '../../graph/harness.ts'
import { startServer } from '../../server.ts'
import type { Server } from '../../server.ts'
import { startGateway } from './gateway.ts'

const maxCost = 20_000
const day = (fields: string) => `{ league { games(date: "${today}") { ${fields} } } }`
const leaders = `ranking(subject: TEAM, season: ${season}, orderBy: "points", first: 5)`

/** Queries of pages, each with its estimated cost: KiB of rows, with lists as long as the graph says. */
const pages: [string, string, number][] = [
  ['a day’s games with their teams', day('homeScore homeTeam { name } awayTeam { name }'), 40 + 2 * 40],
  [
    'and the statistics of one team of each',
    day('homeTeam { stats { points { value rank } } }'),
    40 + 40 + 40 * 5,
  ],
  ['a leaderboard', `{ league { ${leaders} { edges { node { season } } } } }`, 365 * 5 + 5],
  ['every team’s rating', `{ league { elo(season: ${season}) { elo team { name } } } }`, 365 + 365],
]

describe.skipIf(missing)(`a gateway that controls demand${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let server: Server
  let gateway: Awaited<ReturnType<typeof startGateway>>

  beforeAll(async () => {
    server = await startServer()
    gateway = await startGateway({ url: `${server.url}/graphql`, sdl: printedSubgraph() }, maxCost)
  })
  afterAll(async () => {
    await gateway?.close()
    await server?.close()
  })
  beforeEach(() => {
    server.forget()
    server.calls.take()
  })

  it.each(pages)('reckons %s no cheaper than the bill', async (_page, query, reckoned) => {
    const before = server.calls.sent.length
    const { errors, extensions } = await gateway.ask(query)
    expect(errors).toBeUndefined()
    expect(extensions.cost.estimated).toBe(reckoned)
    const tokens = server.calls.sent.slice(before).map(({ bytes }) => Math.ceil(bytes / 1024))
    const bill = tokens.reduce((sum, one) => sum + one, 0)
    expect(bill).toBeGreaterThan(0)
    expect(bill).toBeLessThanOrEqual(reckoned)
  })

  it('refuses what no page needs before anything is spent', async () => {
    const everything = `{ league { elo(season: ${season}) { team { roster { gameLog { game { network } } } } } } }`
    const { errors } = await gateway.ask(everything)
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['COST_ESTIMATED_TOO_EXPENSIVE'])
    expect(server.calls.take()).toEqual([])
  })
})
