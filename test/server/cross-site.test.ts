import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import type { ServerOptions } from '../../src/server/app.ts'
import { hostCheck } from '../../src/server/hosts.ts'
import { basketball, startSample } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'

let sample: Sample
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

type Headers = Readonly<Record<string, string>>

const query = `/graphql?query=${encodeURIComponent('{ organizations { name } }')}`
const page = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

function appWith(options: ServerOptions = {}) {
  const { upstream, calls } = sample.graph()
  const app = createApp({ upstream, apiKey: 'sample-paid', defaults: basketball, ...options })
  const get = (path: string, headers: Headers = {}) =>
    app.fetch(`http://127.0.0.1:4000${path}`, { headers: { host: '127.0.0.1:4000', ...headers } })
  const form = (headers: Headers = {}) =>
    app.fetch('http://127.0.0.1:4000/graphql', {
      method: 'POST',
      headers: {
        host: '127.0.0.1:4000',
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json, text/html',
        ...headers,
      },
      body: new URLSearchParams({ query: '{ organizations { name } }' }).toString(),
    })
  return { get, form, calls }
}

const crossSite = (mode: string, dest: string) => ({
  accept: dest === 'image' ? 'image/avif,image/webp,*/*;q=0.8' : page,
  'user-agent': firefox,
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': mode,
  'sec-fetch-dest': dest,
})

describe('a page of another site', () => {
  test.each([
    ['a link or a form', crossSite('navigate', 'document')],
    ['a frame', crossSite('navigate', 'iframe')],
    ['an image', crossSite('no-cors', 'image')],
    ['a script', crossSite('no-cors', 'script')],
    [
      'an image of a neighbouring origin',
      { ...crossSite('no-cors', 'image'), 'sec-fetch-site': 'same-site' },
    ],
    [
      'a frame of a neighbouring origin',
      { ...crossSite('navigate', 'iframe'), 'sec-fetch-site': 'same-site' },
    ],
    [
      'a request without CORS that may set Accept',
      {
        ...crossSite('no-cors', 'empty'),
        'sec-fetch-site': 'same-site',
        accept: 'application/json',
      },
    ],
    ['a link in a browser that does not say where it stands', { accept: page }],
    ['an image in such a browser', { accept: 'image/png,image/*;q=0.8,*/*;q=0.5' }],
    ['a script in such a browser', { accept: '*/*', 'user-agent': firefox }],
  ])('cannot spend a token by %s', async (_by, headers) => {
    const { get, form, calls } = appWith()
    expect((await get(query, headers)).status).toBe(403)
    expect((await form(headers)).status).toBe(403)
    expect(calls.take()).toEqual([])
  })

  test.each(['/', '/graphql', '/favicon.svg', '/metrics', '/nowhere'])(
    'gets nothing of %s, whether by a frame or an image',
    async (path) => {
      const { get } = appWith()
      expect((await get(path, crossSite('navigate', 'iframe'))).status).toBe(403)
      expect((await get(path, crossSite('no-cors', 'image'))).status).toBe(403)
    },
  )

  test.each([
    ['/', '/'],
    ['/graphql', '/graphql'],
    [query, '/graphql'],
    ['//evil.example/', '/'],
  ])('that links to %s leads people to a page that asks before it opens %s', async (path, opens) => {
    const { get } = appWith()
    const response = await get(path, crossSite('navigate', 'document'))
    expect(response.status).toBe(403)
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect((await response.text()).match(/href="[^"]*"/g)).toEqual([`href="${opens}"`])
  })

  test('may link and ask where every origin is allowed', async () => {
    const { get, calls } = appWith({ origins: ['*'] })
    expect((await get('/', crossSite('navigate', 'document'))).status).toBe(200)
    expect((await get(query, crossSite('navigate', 'document'))).status).toBe(200)
    expect(calls.take()).toEqual(['organization/read 1'])
  })
})

describe('a query by GET', () => {
  test.each<[string, Headers]>([
    ['curl', { accept: '*/*', 'user-agent': 'curl/8.14.1' }],
    ['a program that names what it reads', { accept: 'application/graphql-response+json' }],
    ['a program without headers', {}],
    ['fetch of Node.js', { accept: '*/*', 'user-agent': 'node', 'sec-fetch-mode': 'cors' }],
    [
      'the address bar',
      { accept: page, 'user-agent': firefox, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
    ],
    [
      'a page of ours',
      { accept: '*/*', 'user-agent': firefox, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
    ],
    [
      'a page in a browser that does not say, with a header',
      { 'user-agent': firefox, 'apollo-require-preflight': '1' },
    ],
    ['Apollo Client in such a browser', { 'user-agent': firefox, 'content-type': 'application/json' }],
    [
      'a neighbouring page that may ask',
      {
        origin: 'http://localhost:5173',
        'sec-fetch-site': 'same-site',
        'user-agent': firefox,
        'x-api-key': 'sample-paid',
      },
    ],
  ])('is answered to %s', async (_who, headers) => {
    const { get, calls } = appWith()
    expect((await get(query, headers)).status).toBe(200)
    expect(calls.take()).toEqual(['organization/read 1'])
  })

  test('is GraphiQL where a person opens it, by the address bar, a link of ours, or an old browser', async () => {
    const { get } = appWith()
    for (const site of ['none', 'same-origin', 'same-site']) {
      const navigation = { ...crossSite('navigate', 'document'), 'sec-fetch-site': site }
      expect(await (await get('/graphql', navigation)).text()).toContain('graphiql')
    }
    expect(await (await get('/graphql', { accept: page, 'user-agent': firefox })).text()).toContain(
      'graphiql',
    )
  })
})

describe('the host that a request names', () => {
  const asked = async (isOurHost: (host: string) => boolean, host: string, path = query) => {
    const { get, calls } = appWith({ isOurHost })
    const { status } = await get(path, { host })
    return [status, calls.take().length]
  }

  test.each([
    '127.0.0.1:4000',
    'localhost',
    'LOCALHOST:80',
    'localhost.:4000',
    '[::1]:4000',
    'a.localhost:1',
    '127.1.2.3',
  ])('may be %s by default', async (host) =>
    expect(await asked(hostCheck(null, '127.0.0.1'), host)).toEqual([200, 1]),
  )

  test.each([
    'evil.example:4000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evillocalhost',
    '10.0.0.1',
    '[::2]',
  ])('may not be %s, and that costs nothing', async (host) =>
    expect(await asked(hostCheck(null, '127.0.0.1'), host)).toEqual([403, 0]),
  )

  test('may be the one that is listened on; any address where all interfaces are, but no other name', async () => {
    expect(await asked(hostCheck(null, 'stats.internal'), 'stats.internal:4000')).toEqual([200, 1])
    for (const everywhere of ['0.0.0.0', '::']) {
      const isOurs = hostCheck(null, everywhere)
      expect(await asked(isOurs, '192.0.2.7:4000')).toEqual([200, 1])
      expect(await asked(isOurs, '[2001:db8::7]:4000')).toEqual([200, 1])
      expect(await asked(isOurs, 'evil.example')).toEqual([403, 0])
    }
  })

  test('is one of a list where there is one, which replaces the local names', async () => {
    const listed = hostCheck(['stats.example.com', '[2001:db8::7]'], '127.0.0.1')
    expect(await asked(listed, 'Stats.Example.com:443')).toEqual([200, 1])
    expect(await asked(listed, '[2001:db8::7]:4000')).toEqual([200, 1])
    expect(await asked(listed, 'localhost:4000')).toEqual([403, 0])
    expect(await asked(hostCheck('*', '127.0.0.1'), 'anything.example')).toEqual([200, 1])
  })

  test.each(['/metrics', '/', '/graphql', '/favicon.svg', '/nowhere', '/health/../metrics'])(
    'is looked at for %s',
    async (path) => expect(await asked(hostCheck(null, '127.0.0.1'), 'evil.example', path)).toEqual([403, 0]),
  )

  test.each(['/health', '/ready'])(
    'does not matter for %s, which load balancers ask by address',
    async (path) => {
      expect(await asked(hostCheck(null, '127.0.0.1'), '10.2.3.4', path)).toEqual([200, 0])
      const { get } = appWith()
      expect((await get(path, crossSite('no-cors', 'image'))).status).toBe(200)
    },
  )
})
