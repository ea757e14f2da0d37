import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Plugin } from 'graphql-yoga'

interface Page {
  readonly body: string
  readonly type: string
  readonly etag: string
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** Nothing from another host, no script and no style but the files here. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The editor of GraphiQL sets styles of its own. */
const editorPolicy = policy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")

const folder = new URL('../../public/', import.meta.url).pathname

const pageOf = (body: string, type: string): Page => ({
  body,
  type,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
})

/** The files of a folder by the path that they are served at. */
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

/** What GraphiQL is told of the graph: the day that is today there, and whether a query needs no ids. */
export interface EditorSettings {
  readonly date: string
  readonly hasLeague: boolean
}

/** The scoreboard at `/`, and GraphiQL where a browser opens `/graphql`. */
export function usePages(settings: () => EditorSettings): Plugin {
  const pages = new Map([...filesAt('scoreboard', '/'), ...filesAt('graphiql', '/graphiql/')])
  const editor = pages.get('/graphiql/')
  pages.delete('/graphiql/')
  return {
    onRequest({ request, url, fetchAPI, endResponse }) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return
      const isEditor = url.pathname === '/graphql' && wantsPage(request, url)
      const page = isEditor ? editor && withSettings(editor, settings()) : pages.get(url.pathname)
      if (!page) return
      const isKnown = request.headers.get('if-none-match') === page.etag
      endResponse(
        new fetchAPI.Response(isKnown ? null : page.body, {
          status: isKnown ? 304 : 200,
          headers: headersOf(page, isEditor || url.pathname.startsWith('/graphiql/')),
        }),
      )
    },
  }
}

/** The page, with its settings where its script looks for them. They hold nothing that a page could not show. */
function withSettings(page: Page, settings: EditorSettings): Page {
  const text = JSON.stringify(settings)
  return pageOf(page.body.replace('{}', text.replaceAll('"', '&quot;')), page.type)
}

const wantsPage = (request: Request, url: URL) =>
  !url.searchParams.has('query') && (request.headers.get('accept') ?? '').includes('text/html')

const headersOf = ({ type, etag }: Page, isEditor: boolean) => ({
  'content-type': type,
  etag,
  'cache-control': 'no-cache',
  'content-security-policy': isEditor ? editorPolicy : policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
})
