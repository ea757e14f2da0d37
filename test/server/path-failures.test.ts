import { parse } from 'graphql'
import { afterEach, expect, test, vi } from 'vitest'
import { withDirectPath } from '../../src/server/direct-path.ts'
import { withEventStreams } from '../../src/server/event-streams.ts'
import type { DirectPathServer } from '../../src/server/plain-query.ts'
import { onPorts } from './ports.ts'

const listening = onPorts()
afterEach(() => void vi.restoreAllMocks())

const fail = (): never => {
  throw new Error('The context cannot be made.')
}

/** A server that knows every document and fails as soon as a context is made. */
const failing = {
  isAllowed: () => true,
  nameOf: () => 'name',
  find: () => undefined,
  textOf: ({ query }: { query?: string }) => query,
  documentOf: parse,
  contextOf: fail,
  clientOf: () => 'web',
  execute: fail,
  vary: 'Origin',
  cacheControlOf: () => 'no-store',
} as unknown as DirectPathServer // every function that is called before and after the context

const post = (url: string, query: string, accept: string) =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ query }),
  })

/** An unhandled rejection would end the process, with everybody's requests. */
test.each(['the direct path', 'event streams'])(
  'a failure in %s fails its own request alone',
  async (which) => {
    const printed = vi.spyOn(console, 'error').mockReturnValue()
    const toYoga = () => expect.unreachable()
    const url = await listening(
      which === 'event streams'
        ? withEventStreams(toYoga, failing, fail, null)
        : withDirectPath(toYoga, failing, null),
    )
    const response =
      which === 'event streams'
        ? await post(url, 'subscription { scores(date: "2026-02-14") { gameId } }', 'text/event-stream')
        : await post(url, '{ organizations { name } }', 'application/json')
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('context')
    expect(printed.mock.calls.map(([line]) => JSON.parse(String(line)))).toMatchObject([
      { level: 50, message: 'The context cannot be made.' },
    ])
  },
)

test('a kept answer that cannot be compressed is sent as it is', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue()
  const kept = {
    packed: {
      isWorthCoding: true,
      codedWith: () => Promise.reject(new Error('There is no memory.')),
      with: (end: string) => [Buffer.from('{"data":{}'), Buffer.from(end)],
    },
    endFor: () => '}',
  }
  const server = { ...failing, find: () => kept } as unknown as DirectPathServer // as above
  const url = await listening(withDirectPath(() => expect.unreachable(), server, null, true))
  const response = await post(url, '{ organizations { name } }', 'application/json')
  expect([response.status, response.headers.get('content-encoding')]).toEqual([200, null])
  expect(await response.json()).toEqual({ data: {} })
  expect(printed.mock.calls.map(([line]) => JSON.parse(String(line)))).toMatchObject([
    { message: 'There is no memory.' },
  ])
})
