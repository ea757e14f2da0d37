import { randomBytes } from 'node:crypto'
import type { Plugin } from 'graphql-yoga'
import { nothingHere, pageAt, withAbout } from './page-addresses.ts'
import { filesAt, pageOf } from './page-files.ts'
import type { Page } from './page-files.ts'

const editorPage = '/graphiql/'
let read: ReadonlyMap<string, Page> | undefined

/** All pages by path, read on first use. */
const files = (): ReadonlyMap<string, Page> =>
  (read ??= new Map([...filesAt('scoreboard', '/'), ...filesAt('graphiql', editorPage)]))

/** The settings of GraphiQL: whether there is a default league, and whether clients need a key. */
export interface EditorSettings {
  readonly hasLeague: boolean
  readonly bringsKey: boolean
}

/** Paths that are not pages, also for a browser. */
const served: ReadonlySet<string> = new Set(['/graphql', '/health', '/ready', '/metrics'])

/** Serves the scoreboard at its addresses, and GraphiQL if a browser opens `/graphql`. */
export function usePages(settings: EditorSettings): Plugin {
  return {
    onRequest({ request, url, fetchAPI, endResponse }) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return
      const isEditor = url.pathname === '/graphql' && wantsPage(request, url)
      const page: Sent | undefined = isEditor
        ? editor(settings)
        : (file(url.pathname) ?? scoreboard(request, url))
      if (!page) return
      const isKnown = request.headers.get('if-none-match') === page.etag
      endResponse(
        new fetchAPI.Response(isKnown ? null : page.body, {
          status: isKnown ? 304 : (page.status ?? 200),
          headers: headersOf(page),
        }),
      )
    },
  }
}

/** A file at its own address. The scoreboard's page is written for each address. */
const file = (path: string): Sent | undefined => (path === '/' ? undefined : files().get(path))

interface Sent extends Page {
  readonly status?: number
}

/**
 * The scoreboard's page for this address. A browser also gets the page for unknown addresses, and the page
 * says so.
 */
function scoreboard(request: Request, url: URL): Sent | undefined {
  const page = files().get('/')
  const about = pageAt(url.pathname)
  if (!page || (!about && (served.has(url.pathname) || !wantsPage(request, url)))) return undefined
  const body = withAbout(String(page.body), about ?? nothingHere, url)
  return { ...pageOf(body, page.type), status: about ? 200 : 404 }
}

/**
 * GraphiQL’s page with its settings and a nonce, which its dialogs need to stop the page behind them from
 * scrolling. The settings contain nothing secret.
 */
function editor(settings: EditorSettings): Page | undefined {
  const page = files().get(editorPage)
  const nonce = randomBytes(16).toString('base64url')
  const text = JSON.stringify({ ...settings, nonce })
  return page && pageOf(String(page.body).replace('{}', text.replaceAll('"', '&quot;')), page.type, { nonce })
}

const wantsPage = (request: Request, url: URL) =>
  !url.searchParams.has('query') && (request.headers.get('accept') ?? '').includes('text/html')

const headersOf = ({ type, etag, policy, isFixed }: Page) => ({
  'content-type': type,
  etag,
  'cache-control': isFixed ? 'public, max-age=31536000, immutable' : 'no-cache',
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
})
