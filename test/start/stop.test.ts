import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { ApolloClient, InMemoryCache } from '@apollo/client/core'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { cacheOptions } from '../../src/client/apollo-cache.ts'
import { LiveLink } from '../../src/client/apollo-link.ts'
import { Client } from '../../src/client/client.ts'
import { LiveScoresDocument } from '../../src/client/generated/graphql.ts'
import { readLedger } from '../../src/money/files/read-ledger.ts'
import { freePort } from '../free-port.ts'
import { basketball, today } from '../graph/harness.ts'
import type { Json } from '../service/client.ts'
import { ask, heldProgram, league, listening, npmStart, startPrograms } from './programs.ts'

const { folder, sample, start } = await startPrograms()

async function readAll(read: () => Promise<boolean>): Promise<void> {
  while (await read()) await Promise.resolve()
}

/** Resolves when a program accepts no more connections. */
const isClosing = (url: string) =>
  expect.poll(() => fetch(`${url}/health`).catch(() => 'closing')).toBe('closing')

describe('the program, stopped', () => {
  test('ends with 0 at a SIGTERM to npm start, and leaves nothing behind', async () => {
    const { url, process: npm, exit } = await start({ UPSTREAM_URL: sample.url }, npmStart)
    expect((await fetch(`${url}/health`)).status).toBe(200)
    npm.kill('SIGTERM')
    expect(await exit).toBe(0)
    await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed')
  })

  test('drains at SIGHUP as at SIGTERM, and ends with 0', async () => {
    const settings = { UPSTREAM_URL: sample.url, DRAIN_SECONDS: '3600', DATA_DIR: join(folder, 'hangup') }
    const { url, process: child, exit } = await start(settings, heldProgram)
    child.kill('SIGHUP')
    await expect.poll(async () => (await fetch(`${url}/ready`)).status).toBe(503)
    child.kill('SIGUSR2')
    expect(await exit).toBe(0)
  })

  test('answers what has begun before it ends at SIGTERM, though npm passes it on a second time', async () => {
    let arrived = () => {}
    const arrival = new Promise<void>((resolve) => (arrived = resolve))
    let answerIt = () => {}
    const slow = createServer((_request, response) => {
      answerIt = () =>
        void response.end('{"1":{"organization_id":"1","name":"Slow","inactive":0,"deleted":0}}')
      arrived()
    })
    const {
      url,
      process: child,
      exit,
    } = await start({ UPSTREAM_URL: `${await listening(slow)}/v1`, UPSTREAM_API_KEY: 'any' })
    const answer = ask(url, '{ organizations { name } }')
    await arrival
    child.kill('SIGTERM')
    child.kill('SIGTERM') // as npm passes on what all of its group were sent
    await isClosing(url)
    answerIt()
    expect(await answer).toMatchObject({ data: { organizations: [{ name: 'Slow' }] } })
    expect(await exit).toBe(0)
    slow.close()
  })

  test('logs what it cuts off at SIGTERM with its bill, before it ends', async () => {
    const hanging = createServer(() => {})
    const address = await listening(hanging)
    const own = { DATA_DIR: join(folder, 'cut') }
    const { url, ...program } = await start({
      UPSTREAM_URL: `${address}/v1`,
      UPSTREAM_API_KEY: 'any',
      ...own,
    })
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
    await once(socket, 'open')
    socket.send('{"type":"connection_init"}')
    await once(socket, 'message')
    const query = 'query Cut { organizations { name } }'
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }))
    await once(hanging, 'request')
    program.process.kill('SIGTERM')
    expect(await program.exit).toBe(0)
    const lines = program
      .output()
      .split('\n')
      .filter((line) => line.includes('"operation":"Cut"'))
    const booked = readLedger(own.DATA_DIR, '2000-01-01', '2100-01-01')
    expect(booked).toMatchObject([{ operation: 'Cut', service: 'organization/read', calls: 1 }])
    const tokens = Number(booked[0]?.tokens)
    expect(lines.map((line) => JSON.parse(line) as Json)).toMatchObject([
      {
        status: 101,
        outcome: 'cut',
        tokens,
        tokensByOperation: { 'organization/read': tokens },
        attempts: 1,
      },
    ])
    hanging.close()
  })

  test('drains at SIGTERM: is not ready but answers, then cuts its subscriptions and waits for nothing else', async () => {
    const settings = {
      UPSTREAM_URL: sample.url,
      UPSTREAM_API_KEY: 'sample-paid',
      DRAIN_SECONDS: '3600',
      ...league,
    }
    const { url, process: child, exit, output } = await start(settings, heldProgram)
    const port = Number(new URL(url).port)
    const idle = connect(port, '127.0.0.1') // as browsers open in advance
    const half = connect(port, '127.0.0.1').on('error', () => {})
    half.write('POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n')
    half.write('content-length: 100\r\n\r\n{"query":')
    const query = encodeURIComponent(`subscription Live { scores(date: "${today}") { gameId } }`)
    const response = await fetch(`${url}/graphql?query=${query}`, {
      headers: { accept: 'text/event-stream' },
    })
    const reader = response.body?.getReader()
    let text = ''
    const read = async () => {
      const { value, done } = (await reader?.read()) ?? { done: true }
      text += Buffer.from(value ?? []).toString()
      return !done
    }
    while (!text.includes('event: next')) await read()
    child.kill('SIGTERM')
    await expect.poll(async () => (await fetch(`${url}/ready`)).status).toBe(503)
    expect(await ask(url, '{ organizations { name } }')).toMatchObject({ data: { organizations: [{}, {}] } })
    const ended = expect(readAll(read)).rejects.toThrow('terminated')
    child.kill('SIGUSR2')
    await ended
    expect(text).not.toContain('event: complete')
    expect(await exit).toBe(0)
    expect(output()).toContain('It drains for 3600 s.')
    expect(output()).toMatch(/"operation":"Live","events":\d+,.*"tokens":\d+/)
    for (const socket of [idle, half]) socket.destroy()
  })

  test('ends at once at a second signal, whichever it is', async () => {
    let arrived = () => {}
    const arrival = new Promise<void>((resolve) => (arrived = resolve))
    const silent = createServer(() => arrived())
    const {
      url,
      process: child,
      exit,
    } = await start({
      UPSTREAM_URL: `${await listening(silent)}/v1`,
      UPSTREAM_API_KEY: 'any',
    })
    const answer = ask(url, '{ organizations { name } }').catch(() => 'none')
    await arrival
    child.kill('SIGTERM')
    await isClosing(url)
    await new Promise((resolve) => setTimeout(resolve, 600)) // sooner it would be npm’s echo of the first
    child.kill('SIGINT')
    // Otherwise it would end with 0, once its time for what is running is over.
    expect(await exit).toBe(1)
    expect(await answer).toBe('none')
    silent.closeAllConnections()
    silent.close()
  })
})

describe('subscriptions of the shipped client', () => {
  const soon = <T>(what: () => T) => expect.poll(what)
  const variables = { date: today }

  test.each(['SIGTERM', 'SIGKILL'] as const)('come back after a restart by %s', async (signal) => {
    const settings = {
      UPSTREAM_URL: sample.url,
      UPSTREAM_API_KEY: 'sample-paid',
      // Nobody else takes it while the server restarts, as may happen to a port of the system's choice.
      PORT: String(await freePort()),
      ...league,
    }
    const before = await start(settings)
    const url = `${before.url}/graphql`
    const games = (await sample.rows('game/getGames', { ...basketball, start_date: today })).length
    const live = new Client({ url }).live(LiveScoresDocument, variables)
    const failures: string[] = []
    const leave = live.subscribe(() => {
      const { failure } = live.getSnapshot()
      if (failure) failures.push(failure.name)
    })
    const told: boolean[] = []
    let isCompleted = false
    const apollo = new ApolloClient({ link: new LiveLink({ url }), cache: new InMemoryCache(cacheOptions) })
    const subscription = apollo.subscribe({ query: LiveScoresDocument, variables }).subscribe({
      next: ({ error }) => void told.push(error === undefined),
      complete: () => (isCompleted = true),
    })
    await soon(() => [live.getSnapshot().data.length, told.length]).toEqual([games, games])

    before.process.kill(signal)
    expect(await before.exit).toBe(signal === 'SIGTERM' ? 0 : null)
    await soon(() => [failures.length > 0, told.includes(false)]).toEqual([true, true])
    expect(live.getSnapshot().data).toHaveLength(games)

    await start(settings)
    await soon(() => told.filter(Boolean).length).toBe(2 * games)
    await soon(() => live.getSnapshot().failure).toBeNull()
    expect([new Set(failures), isCompleted]).toEqual([new Set(['UnreachableError']), false])
    leave()
    subscription.unsubscribe()
  })
})
