import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService } from '../../src/service/service.ts'
import { describeOnBoth } from './databases.ts'
import { runLeague } from './running.ts'
import type { Running } from './running.ts'
import type { Client, Reply } from './client.ts'
import { codeOf, within } from './client.ts'
import { id, league } from './league.ts'

const hostile = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  "'; drop table game; --",
  '%00',
  '../../etc/passwd',
  '',
]

/** An error body at status 200 that tells nothing of the inside. */
const expectRefusal = (reply: Reply, code: string) => {
  expect([reply.status, codeOf(reply), reply.usage]).toEqual([200, code, 0])
  expect(Object.keys(within(reply.body, 'error'))).toEqual(['code', 'message'])
  expect(reply.text).not.toMatch(/select |insert |sqlite|postgres|node_modules|\.ts|\.js|\bat \/|Error:/i)
}

/** Whether the service ends a connection on which nothing follows. */
const hangsUp = (url: string, start: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(start))
    socket
      .on('error', () => {})
      .on('close', () => resolve(true))
      .resume()
    setTimeout(() => resolve(false), 5_000).unref()
  })

describeOnBoth('what nobody should send', (provide) => {
  let running: Running
  let client: Client

  beforeAll(async () => {
    running = await runLeague(await provide())
    client = running.as('paid')
  })
  afterAll(() => running.stop())

  test('unknown classes and functions are answered by an error', async () => {
    for (const name of hostile) {
      expectRefusal(await client.post(`${name.replace('/', '')}/read`), 'unknown_operation')
      expectRefusal(
        await client.raw(JSON.stringify({ class: 'game', function: name, arguments: {} })),
        'unknown_operation',
      )
    }
    expectRefusal(await client.get('game/readd'), 'unknown_operation')
    expectRefusal(await client.get('__proto__/get'), 'unknown_operation')
  })

  test('unknown arguments are answered by an error, whatever they are called', async () => {
    for (const name of hostile)
      expectRefusal(
        await client.raw(`{"class":"game","function":"read","arguments":{${JSON.stringify(name)}:"x"}}`),
        'invalid_argument',
      )
    expectRefusal(await client.get('game/read', { line: '{}' }), 'invalid_argument')
    expectRefusal(await client.get('team/read', { folded: 'lions' }), 'invalid_argument')
  })

  test('a missing argument is named', async () => {
    const reply = await client.get('game/getGames', {
      organization_id: league.organization_id,
      start_date: '2026-01-10',
    })
    expectRefusal(reply, 'missing_argument')
    expect(within(reply.body, 'error')['message']).toContain('division_id')
  })

  test('a value of the wrong kind is answered by an error', async () => {
    const wrong = [
      ['game/read', { season: 'twenty' }],
      ['game/read', { season: 2026.5 }],
      ['game/read', { season: true }],
      ['team/read', { name: true }],
      ['game/read', { season: '9'.repeat(40) }],
      ['game/read', { season: 1e300 }],
      ['game/read', { neutral_site: 2 }],
      ['game/read', { start_date: '2026-02-30' }],
      ['game/read', { start_date: 'yesterday' }],
      ['game/read', { game_id: { $ne: '' } }],
      ['game/read', { game_id: [['nested']] }],
      ['game/read', { game_id: null }],
      ['game/read', { game_id: 'with a \0 in it' }],
      ['odds/read', { spread_home: 'NaN' }],
    ] as const
    for (const [operation, given] of wrong)
      expectRefusal(await client.post(operation, given), 'invalid_argument')
    expectRefusal(await client.path('/game/read?game_id=%00'), 'invalid_argument')
  })

  test('SQL in a value is a value', async () => {
    const reply = await client.post('game/read', {
      game_id: ["' or 1=1 --", id('opener')],
      network: ['ESPN', '"; delete from game'],
    })
    expect(Object.keys(reply.body)).toEqual([id('opener')])
    expect((await client.post('team/read', { name: '\ud800 half a character' })).body).toEqual({})
  })

  test('what is not JSON, or not the object expected, is answered by an error', async () => {
    const bodies = [
      '',
      '{',
      'null',
      '[]',
      '"x"',
      '{"class":1,"function":"read"}',
      '{"class":"game","function":"read","arguments":[]}',
      '<html>',
    ]
    for (const body of bodies) expectRefusal(await client.raw(body), 'malformed_request')
    expectRefusal(await client.raw('['.repeat(500_000)), 'malformed_request')
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    expectRefusal(
      await client.raw(`{"class":"game","function":"read","arguments":{"game_id":${deep}}}`),
      'invalid_argument',
    )
  })

  test('addresses outside the service are answered by an error', async () => {
    for (const path of ['/game', '/game/read/more', '//', '/'])
      expectRefusal(await client.path(path), 'malformed_request')
    const { origin } = new URL(running.url)
    const outside = await fetch(`${origin}/v2/game/read`, {
      headers: { 'x-api-key': await running.newKey('paid') },
    })
    expect([outside.status, await outside.json()]).toMatchObject([
      200,
      { error: { code: 'unknown_operation' } },
    ])
  })

  test('thousands of ids are answered, tens of thousands and a million refused', async () => {
    const ids = Array.from({ length: 9_999 }, (_, nth) => `${nth}`)
    expect(Object.keys((await client.post('game/read', { game_id: [...ids, id('opener')] })).body)).toEqual([
      id('opener'),
    ])
    expectRefusal(await client.post('game/read', { game_id: [...ids, ...ids] }), 'invalid_argument')
    const million = Array.from({ length: 1_000_000 }, () => 'x')
    expectRefusal(await client.post('game/read', { game_id: million }), 'request_too_large')
    expect(codeOf(await client.get('team/get'))).toBeUndefined()
  })

  test('a GET takes as many ids as a POST', async () => {
    const ids = Array.from(
      { length: 9_999 },
      (_, nth) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`,
    )
    expect(Object.keys((await client.get('game/read', { game_id: [...ids, id('opener')] })).body)).toEqual([
      id('opener'),
    ])
  })

  test('an address too long is refused and the service goes on', async () => {
    expectRefusal(await client.path(`/game/read?network=${'x'.repeat(1_100_000)}`), 'request_too_large')
    expect(codeOf(await client.get('team/get'))).toBeUndefined()
  })

  /** Everything that the service sends on a connection until it closes it. */
  const replyTo = (text: string) =>
    new Promise<string>((resolve) => {
      let reply = ''
      const socket = connect(Number(new URL(running.url).port), '127.0.0.1', () => socket.write(text))
      socket.on('data', (chunk) => (reply += String(chunk))).on('close', () => resolve(reply))
    })

  test('what is not HTTP is refused as any other request, and hung up on', async () => {
    const answer = await replyTo('\u0016\u0003\u0001 not http\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(answer).toContain('\r\nx-request-usage: 0\r\n')
    expect(answer).toContain('{"error":{"code":"malformed_request",')
  })

  test.each([
    [
      'without Host',
      'GET /v1/team/get?char6=LIO HTTP/1.1\r\nX-API-KEY: KEY\r\nConnection: close\r\n\r\n',
      '"name":"Lions"',
    ],
    [
      'with an unknown expectation',
      'GET /v1/team/get?char6=LIO HTTP/1.1\r\nHost: x\r\nX-API-KEY: KEY\r\nExpect: foo\r\nConnection: close\r\n\r\n',
      '"name":"Lions"',
    ],
    ['for a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', '"code":"malformed_request"'],
  ])('a request %s is answered with status 200', async (_name, text, expected) => {
    const answer = await replyTo(text.replace(': KEY', `: ${await running.newKey('paid')}`))
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(answer).toContain(expected)
  })

  test('a client that sends too slowly is hung up on', async () => {
    const { database, failures } = running
    const slow = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 50 }
    const service = await startService({ database, limits: slow, report: (error) => failures.push(error) })
    const key = await running.newKey('paid')
    const head = `POST /v1 HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\nContent-Length: 50\r\n`
    for (const start of [head, `${head}\r\n{"class"`]) expect(await hangsUp(service.url, start)).toBe(true)
    await service.close()
    expect(codeOf(await client.get('team/get'))).toBeUndefined()
  })

  test('a thousand connections at once are all answered', async () => {
    const key = await running.newKey('paid')
    const one = () =>
      new Promise<string>((resolve, reject) => {
        let text = ''
        const socket = connect(Number(new URL(running.url).port), '127.0.0.1', () =>
          socket.write(
            `GET /v1/team/get?char6=LIO HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\nConnection: close\r\n\r\n`,
          ),
        )
        socket
          .on('data', (chunk) => (text += String(chunk)))
          .on('close', () => resolve(text))
          .on('error', reject)
      })
    const answers = await Promise.all(Array.from({ length: 1_000 }, one))
    expect(answers.filter((answer) => answer.includes('"name":"Lions"'))).toHaveLength(1_000)
  })

  test('none of this was a failure of the service', () => {
    expect(running.failures).toEqual([])
  })
})
