import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { GraphQLError, parse } from 'graphql'
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'
import { jsonAt } from './page-files.ts'

/** Documents that clients name by the SHA-256 of their text. */
export interface Documents {
  /** Trusted documents by their hash: those of a manifest and of the scoreboard. */
  readonly trusted: ReadonlyMap<string, string>
  /** Whether all other documents are refused. */
  readonly trustedOnly: boolean
}

export const noDocuments: Documents = { trusted: new Map(), trustedOnly: false }

/** Maximum characters of documents remembered by their hash. */
const mostLearned = 500_000

/** The manifest cannot be read. The message is one line. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'
}

/** The documents that the scoreboard sends. None if it is not built. */
const scoreboardDocuments = () => new Map(documentsIn(jsonAt('scoreboard/documents.json')))

/**
 * The documents of a manifest, null for none, and those of the scoreboard, which the server brings itself. Throws
 * ManifestError, also if every document would be refused.
 */
export function readDocuments(
  path: string | null,
  trustedOnly: boolean,
  brought: ReadonlyMap<string, string> = scoreboardDocuments(),
): Documents {
  if (path !== null) return { trusted: new Map([...brought, ...manifestAt(path)]), trustedOnly }
  if (!trustedOnly) return noDocuments
  if (brought.size === 0)
    throw new ManifestError(
      'TRUSTED_DOCUMENTS_ONLY needs a manifest, as there is no scoreboard here: set TRUSTED_DOCUMENTS to its file.',
    )
  return { trusted: brought, trustedOnly }
}

function manifestAt(path: string): ReadonlyMap<string, string> {
  const trusted = new Map(documentsIn(parsed(textOf(path))))
  if (trusted.size === 0)
    throw new ManifestError(`TRUSTED_DOCUMENTS names "${path}", which is not a manifest of documents.`)
  for (const [hash, text] of trusted)
    if (!isDocument(text))
      throw new ManifestError(`TRUSTED_DOCUMENTS names "${path}", whose "${hash}" is not a GraphQL document.`)
  return trusted
}

function isDocument(text: string): boolean {
  try {
    parse(text)
    return true
  } catch {
    return false
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new ManifestError(`TRUSTED_DOCUMENTS names "${path}", which cannot be read.`)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Text by hash, as GraphQL Code Generator and Relay write it, or a list of operations, as in Apollo's
 * manifests.
 */
function documentsIn(manifest: unknown): [hash: string, text: string][] {
  if (typeof manifest !== 'object' || manifest === null) return []
  const listed = 'operations' in manifest && Array.isArray(manifest.operations) ? manifest.operations : null
  const entries: [unknown, unknown][] = listed
    ? listed.map((one: { id?: unknown; body?: unknown } | null) => [one?.id, one?.body])
    : Object.entries(manifest)
  return entries.flatMap(([hash, text]) =>
    typeof hash === 'string' && typeof text === 'string' ? [[bare(hash), text]] : [],
  )
}

const bare = (hash: string) => hash.replace(/^sha256:/, '')

/** Finds the text of a request's document. Throws a GraphQLError if it may not be answered. */
export type FindText = (params: GraphQLParams, idInUrl?: string | null) => string | undefined

/**
 * Automatic persisted queries and trusted documents. A request names its document by
 * `extensions.persistedQuery.sha256Hash`, or by `documentId` as in GraphQL over HTTP.
 */
export function textFinder({ trusted, trustedOnly }: Documents): FindText {
  const learned = new LRUCache<string, string>({
    maxSize: mostLearned,
    sizeCalculation: (text, hash) => text.length + hash.length,
  })
  return (params, idInUrl = null) => {
    const hash = hashIn(params, idInUrl)
    const known = hash === undefined ? undefined : (trusted.get(hash) ?? learned.get(hash))
    if (known !== undefined && !params.query) return known
    if (trustedOnly && !isTrusted(params.query))
      throw refused(
        'This server answers only trusted documents, and this is not one of them.',
        'BAD_USER_INPUT',
      )
    if (hash === undefined) return params.query
    if (!params.query) throw refused('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND')
    if (sha256(params.query) !== hash)
      throw refused('The hash does not belong to the document.', 'BAD_USER_INPUT')
    learned.set(hash, params.query)
    return params.query
  }

  function isTrusted(query: string | undefined): boolean {
    return query !== undefined && trusted.get(sha256(query)) !== undefined
  }
}

/** Replaces a document's hash by its text. */
export function useDocuments(findText: FindText): Plugin {
  return {
    onParams({ params, setParams, request }) {
      const query = findText(params, new URL(request.url).searchParams.get(documentId))
      if (query !== params.query) setParams({ ...params, ...(query !== undefined && { query }) })
    },
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The only parameter in addition to GraphQL's own. */
export const documentId = 'documentId'

function hashIn(params: GraphQLParams, idInUrl: string | null): string | undefined {
  const { extensions, [documentId]: inBody }: GraphQLParams & { [documentId]?: unknown } = params
  const id = inBody ?? idInUrl
  if (typeof id === 'string') return bare(id)
  const persisted: unknown = extensions?.['persistedQuery']
  if (typeof persisted !== 'object' || persisted === null || !('sha256Hash' in persisted)) return undefined
  return typeof persisted.sha256Hash === 'string' ? bare(persisted.sha256Hash) : undefined
}

const refused = (message: string, code: string) =>
  new GraphQLError(message, { extensions: { code, http: { status: 200 } } })
