import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'graphql-yoga'

interface Page {
  readonly body: string
  readonly type: string
  readonly etag: string
  readonly policy: string
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** Nothing from other hosts; no scripts and styles but the files here, and styles with the `nonce`. */
const policyOf = (nonce?: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    nonce ? `style-src 'self' 'nonce-${nonce}'` : "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const folder = fileURLToPath(new URL('../../public/', import.meta.url))

const pageOf = (body: string, type: string, nonce?: string): Page => ({
  body,
  type,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
  policy: policyOf(nonce),
})

/** The files of a folder by their paths on the server. */
function filesAt(name: string, prefix: string): [string, Page][] {
  const from = join(folder, name)
  if (!existsSync(from)) return []
  return readdirSync(from).flatMap((file) => {
    const type = types[extname(file)]
    if (type === undefined) return []
    const body = readFileSync(join(from, file), 'utf8')
    return [[file === 'index.html' ? prefix : `${prefix}${file}`, pageOf(body, type)]]
  })
}

const editorPage = '/graphiql/'
let read: ReadonlyMap<string, Page> | undefined

/** All pages by path, read on first use. */
const files = (): ReadonlyMap<string, Page> =>
  (read ??= new Map([...filesAt('scoreboard', '/'), ...filesAt('graphiql', editorPage)]))

/**
 * The settings of GraphiQL: the current day, whether there is a default league, and whether clients need a
 * key.
 */
export interface EditorSettings {
  readonly date: string
  readonly hasLeague: boolean
  readonly bringsKey: boolean
}

/** The scoreboard at `/`, and GraphiQL where a browser opens `/graphql`. */
export function usePages(settings: () => EditorSettings): Plugin {
  return {
    onRequest({ request, url, fetchAPI, endResponse }) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return
      const isEditor = url.pathname === '/graphql' && wantsPage(request, url)
      const page = isEditor ? editor(settings()) : files().get(url.pathname)
      if (!page) return
      const isKnown = request.headers.get('if-none-match') === page.etag
      endResponse(
        new fetchAPI.Response(isKnown ? null : page.body, {
          status: isKnown ? 304 : 200,
          headers: headersOf(page),
        }),
      )
    },
  }
}

/**
 * GraphiQL’s page with its settings and a nonce of this answer, with which its dialogs may stop the page
 * behind them from scrolling. The settings contain nothing secret.
 */
function editor(settings: EditorSettings): Page | undefined {
  const page = files().get(editorPage)
  const nonce = randomBytes(16).toString('base64url')
  const text = JSON.stringify({ ...settings, nonce })
  return page && pageOf(page.body.replace('{}', text.replaceAll('"', '&quot;')), page.type, nonce)
}

const wantsPage = (request: Request, url: URL) =>
  !url.searchParams.has('query') && (request.headers.get('accept') ?? '').includes('text/html')

const headersOf = ({ type, etag, policy }: Page) => ({
  'content-type': type,
  etag,
  'cache-control': 'no-cache',
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
})
