import { readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parse } from 'graphql'
import { Answer } from '../../src/graph/execution/answer.ts'
import { ExecutionBudget } from '../../src/graph/execution/budget.ts'
import { schema } from '../../src/schema.ts'
import { answerAny } from '../../src/server/execution.ts'
import { keepNewObjectsYoung } from '../../src/start/new-objects.ts'
import { ClientRequest } from '../../src/account/client-request.ts'
import type { Transport } from '../../src/wire/transport.ts'
import { Upstream } from '../../src/account/upstream.ts'
import { measured } from '../child.ts'
import type { Json } from '../json.ts'
import { sampleNow } from '../league.ts'
import { place } from './recording.ts'
import type { Recording } from './recording.ts'
import { fills } from '../../src/loaders/fills.ts'

/**
 * Measures the CPU time of a cell whose row is kept: executed and printed, without HTTP, for days of several
 * lengths.
 */

const columns =
  'gameId homeScore awayScore status currentPeriod clock startDatetime season homeTeamId awayTeamId'
const document = parse(`{ league { games(date: "2026-02-14") { ${columns} } } }`)
const width = columns.split(' ').length

/**
 * Cells that are measured for each length. A million take 0.1 s, in which one full garbage collection of what
 * came before, or one late compilation, would be half the figure or none of it.
 */
const cells = 10_000_000

/** Cells of answers that are under way together: more than the young objects that V8 has room for. */
const cellsTogether = 500_000

/** Cells that are answered before, so that the code is compiled. */
const cellsBefore = 2_000_000

const [file = '', ...lengths] = process.argv.slice(2)
const recording = JSON.parse(readFileSync(file, 'utf8')) as Recording // written by the benchmark
const day = Object.entries(recording).find(([line]) => line.includes('getGames'))?.[1] ?? '{}'
const rows = Object.values(JSON.parse(day) as Record<string, Json>) // rows keyed by id

/** A service whose day has that many games. */
function dayOf(length: number): Transport {
  const games = Array.from({ length }, (_, nth) => ({ ...rows[nth % rows.length], game_id: `game-${nth}` }))
  const body = JSON.stringify(Object.fromEntries(games.map((game) => [game.game_id, game])))
  return async () => ({ status: 200, headers: {}, body, bytes: body.length })
}

/** One answer. */
async function answer(upstream: Upstream): Promise<Answer> {
  const client = new ClientRequest(upstream.accountOf('anyone'))
  const contextValue = { clientRequest: client, defaults: place, budget: new ExecutionBudget() }
  const answered = await answerAny({ schema, document, contextValue })
  if (!(answered instanceof Answer)) throw new Error('The query was not compiled.')
  return answered
}

/**
 * Answers each in a turn of the event loop, as a server does. Thousands in one turn keep each other alive as
 * garbage, which every collection then copies.
 */
async function answerOften(upstream: Upstream, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await nextTurn()
    const answered = await answer(upstream)
    await answered.bytes() // as the server sends them
  }
}

/**
 * Has so many answers under way together, like a server whose service is slow. They survive garbage
 * collections, from which V8 must not conclude that later answers will.
 */
async function answerTogether(upstream: Upstream, count: number): Promise<void> {
  const underway: Answer[] = []
  while (underway.length < count) {
    await nextTurn()
    underway.push(await answer(upstream))
  }
}

/** Microseconds of CPU for each cell, once the code is compiled. */
async function cellOf(length: number): Promise<number> {
  const settings = { fills, monthlyTokenBudget: null, timeoutMs: 10_000, batchSize: 500, concurrency: 32 }
  const upstream = new Upstream({ transport: dayOf(length), ...settings, clock: () => sampleNow })
  const times = Math.ceil(cells / (length * width))
  await answerTogether(upstream, Math.ceil(cellsTogether / (length * width)))
  await answerOften(upstream, Math.ceil(cellsBefore / (length * width)))
  const { user, system } = process.cpuUsage()
  await answerOften(upstream, times)
  const after = process.cpuUsage()
  return (after.user + after.system - user - system) / (times * length * width)
}

keepNewObjectsYoung()
const figures: number[] = []
for (const length of lengths) figures.push(await cellOf(Number(length)))
measured(figures)
