import { jsonAt } from './page-files.ts'

/** What the scoreboard's build says of its addresses (`routing/pages.json` of its sources). */
interface Addresses {
  /** The beginning of an address that names a league, as a regular expression. */
  readonly league: string
  readonly pages: Readonly<Record<string, Described & { readonly path: string }>>
}

interface Described {
  readonly title: string
  readonly description: string
  /** The module of the page, which is a script of its own. */
  readonly source?: string
  /** The image that other sites show of a page of this kind. */
  readonly preview?: string
}

interface Pattern extends Described {
  readonly path: RegExp
}

let known: { readonly league: RegExp; readonly pages: readonly Pattern[] } | undefined

function addresses() {
  const read = jsonAt('scoreboard/pages.json') as Addresses | null // written by its build
  return {
    league: new RegExp(read?.league ?? '^$'),
    pages: Object.values(read?.pages ?? {}).map((page) => ({ ...page, path: new RegExp(page.path) })),
  }
}

/** What a page of the scoreboard is about, by its path; null if the scoreboard has no such page. */
export function pageAt(path: string): Described | null {
  known ??= addresses()
  const inLeague = path.replace(known.league, '')
  const found = known.pages.find((page) => page.path.test(inLeague))
  if (!found) return null
  const date = found.path.exec(inLeague)?.groups?.['date']
  return date === undefined ? found : { ...found, title: `${found.title}, ${date}` }
}

/** What a script of the build needs (Vite's manifest). */
interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

type Manifest = Readonly<Record<string, Chunk>>

let built: Manifest | undefined

/** A script with all that it imports, but the page's own, which the page itself loads. */
function chunksOf(manifest: Manifest, name: string, known = new Set<string>()): readonly Chunk[] {
  const chunk = manifest[name]
  if (!chunk || known.has(name) || name === 'index.html') return []
  known.add(name)
  return [chunk, ...(chunk.imports ?? []).flatMap((one) => chunksOf(manifest, one, known))]
}

/** Loads a page's scripts and styles beside the first script instead of after it. */
function preloads(source: string): readonly string[] {
  built ??= (jsonAt('scoreboard/manifest.json') ?? {}) as Manifest // written by the build
  const chunks = chunksOf(built, source)
  return [
    ...chunks.map(({ file }) => `<link rel="modulepreload" crossorigin href="/${file}" />`),
    ...new Set(chunks.flatMap(({ css = [] }) => css)),
  ].map((line) => (line.startsWith('<') ? line : `<link rel="stylesheet" crossorigin href="/${line}" />`))
}

export const nothingHere: Described = {
  title: 'Nothing here',
  description: 'There is no page at this address.',
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (one) => entities[one] ?? one)

const placeholder = /<!--about-->[^]*<!--\/about-->/

/** The page with its title, its description and what other sites show as its preview. */
export function withAbout(page: string, about: Described, url: URL): string {
  const { title, description, source, preview = 'preview.png' } = about
  const meta = (kind: 'name' | 'property', name: string, content: string) =>
    `<meta ${kind}="${name}" content="${escaped(content)}" />`
  const lines = [
    `<title>${escaped(title)} · Statline</title>`,
    meta('name', 'description', description),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', 'Statline'),
    meta('property', 'og:url', url.origin + url.pathname),
    meta('property', 'og:image', `${url.origin}/${preview}`),
    meta('property', 'og:image:width', '1200'),
    meta('property', 'og:image:height', '630'),
    meta('property', 'og:image:alt', description),
    meta('name', 'twitter:card', 'summary_large_image'),
    ...(source ? preloads(source) : []),
  ]
  return page.replace(placeholder, () => lines.join('\n    '))
}
