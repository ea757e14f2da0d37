import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../server.ts'
import type { Server } from '../server.ts'

let server: Server

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(server.url + path, { headers, method })

describe('the pages', () => {
  it.each([
    ['/', 'text/html'],
    ['/games/2026-02-14', 'text/html'],
    ['/favicon.svg', 'image/svg+xml'],
    ['/preview.png', 'image/png'],
    ['/graphiql/graphiql.js', 'text/javascript'],
  ])('%s is served as %s', async (path, type) => {
    const response = await get(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain(type)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await response.text()).length).toBeGreaterThan(200)
  })

  it.each([
    ['/', 'Games', 'preview.png'],
    ['/games/2026-02-14', 'Games, 2026-02-14', 'preview.png'],
    ['/game/x/odds', 'Game', 'preview-game.png'],
    ['/team/x/2026/roster', 'Team', 'preview-team.png'],
    ['/player/x', 'Player', 'preview-player.png'],
    ['/conference/x/2026', 'Standings', 'preview-standings.png'],
    ['/compare/teams/x/y', 'Compare', 'preview-compare.png'],
    ['/league/a/b/leaders/players/points_per_game/2026', 'Leaders', 'preview-leaders.png'],
    ['/leagues', 'Leagues', 'preview.png'],
    ['/leagues/', 'Leagues', 'preview.png'],
    ['/games/2026-02-14/', 'Games, 2026-02-14', 'preview.png'],
    ['/league/a/b/team/x/2026/roster/', 'Team', 'preview-team.png'],
  ])('have a title, a description and a preview of their kind at %s', async (path, title, preview) => {
    const page = await (await get(path)).text()
    expect(page).toContain(`<title>${title} · Statline</title>`)
    expect(page).toMatch(/<meta name="description" content="[^"]{20,}" \/>/)
    expect(page).toContain(`<meta property="og:image" content="${server.url}/${preview}" />`)
    const image = await get(`/${preview}`)
    expect(image.headers.get('content-type')).toBe('image/png')
    // A PNG’s header has its width and height.
    const bytes = Buffer.from(await image.arrayBuffer())
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1_200, 630])
    expect(page).toContain(`<meta property="og:url" content="${server.url}${path}" />`)
  })

  it('keep what an address says out of their markup', async () => {
    const page = await (await get('/team/%22%3E<script>')).text()
    expect(page).not.toContain('"><script')
    expect(page).not.toContain('<script>')
  })

  it('load scripts and styles that a browser may keep forever, because their names change with them', async () => {
    const page = await (await get('/')).text()
    const named = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '')
    expect(named.length).toBeGreaterThan(1)
    for (const path of named) {
      const response = await get(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
    expect((await get('/')).headers.get('cache-control')).toBe('no-cache')
  })

  it.each(['/nowhere', '/game', '/leaders/coaches/x/y', '/games/tomorrow'])(
    'say to a browser that there is nothing at %s, with the status for it',
    async (path) => {
      const response = await get(path, html)
      expect(response.status).toBe(404)
      expect(await response.text()).toContain('<title>Nothing here · Statline</title>')
      expect(await (await get(path)).text()).not.toContain('<html')
    },
  )

  it('open GraphiQL for a browser at /graphql, with the default league and no need of a key in its settings, and no day', async () => {
    const page = await (await get('/graphql', html)).text()
    expect(page).toContain('data-settings="{&quot;hasLeague&quot;:true,&quot;bringsKey&quot;:false,')
  })

  it('do not stand in the way of a query by GET in the address bar', async () => {
    const response = await get('/graphql?query={__typename}', { ...html, 'sec-fetch-site': 'none' })
    expect(await response.json()).toMatchObject({ data: { __typename: 'Query' } })
  })

  it('are not sent again to a browser that has them', async () => {
    const etag = (await get('/graphiql/graphiql.js')).headers.get('etag') ?? ''
    const again = await get('/graphiql/graphiql.js', { 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  it('answer HEAD without a body', async () => {
    const response = await get('/', {}, 'HEAD')
    expect([response.status, await response.text()]).toEqual([200, ''])
  })

  it('allow no script, no style and no connection but their own', async () => {
    const policy = (await get('/', html)).headers.get('content-security-policy')
    const own =
      "script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'"
    expect(policy).toBe(
      `default-src 'none'; ${own}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
  })

  it('allow GraphiQL the styles with this answer’s nonce, beside', async () => {
    const ask = async () => {
      const response = await get('/graphql', html)
      const nonce = /nonce&quot;:&quot;([\w-]{22})&quot;/.exec(await response.text())?.[1] ?? 'none'
      return { nonce, policy: response.headers.get('content-security-policy') }
    }
    const [one, other] = [await ask(), await ask()]
    const plain = (await get('/', html)).headers.get('content-security-policy')
    expect(one.policy).toBe(plain?.replace("style-src 'self'", `style-src 'self' 'nonce-${one.nonce}'`))
    expect(other.nonce).not.toBe(one.nonce)
  })

  it.each([
    '/package.json',
    '/sources.sha256',
    '/pages.json',
    '/manifest.json',
    '/../package.json',
    '/%2e%2e/package.json',
    '/graphiql/../../package.json',
  ])('are all that is served: %s is not', async (path) => {
    expect((await get(path)).status).toBe(404)
  })
})
