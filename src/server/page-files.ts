import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file as it is sent. */
export interface Page {
  readonly body: string | Buffer<ArrayBuffer>
  readonly type: string
  readonly etag: string
  readonly policy: string
  /** Whether its address changes with its content, so that a browser may keep it. */
  readonly isFixed: boolean
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

const folder = fileURLToPath(new URL('../../public/', import.meta.url))

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

interface About {
  readonly nonce?: string
  readonly isFixed?: boolean
}

export const pageOf = (body: Page['body'], type: string, { nonce, isFixed = false }: About = {}): Page => ({
  body,
  type,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
  policy: policyOf(nonce),
  isFixed,
})

/** The files of a folder by their paths on the server. Those in `assets/` have their hash in their name. */
export function filesAt(name: string, prefix: string): [string, Page][] {
  const from = join(folder, name)
  if (!existsSync(from)) return []
  return readdirSync(from, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
    const type = types[extname(file)]
    if (type === undefined) return []
    const body = readFileSync(join(from, file))
    const path = file === 'index.html' ? prefix : `${prefix}${file.replaceAll('\\', '/')}`
    return [[path, pageOf(body, type, { isFixed: file.startsWith('assets') })]]
  })
}

/** A JSON file beside the pages; null if the pages were not built. */
export function jsonAt(path: string): unknown {
  const file = join(folder, path)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}
