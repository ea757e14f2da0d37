import type { IncomingMessage } from 'node:http'
import type { GraphQLParams } from 'graphql-yoga'
import { faultOfExtensions } from './caller.ts'
import { largestBody } from './limits.ts'
import { faultOfJson, isObject } from './request-json.ts'

const json = /^application\/json(;\s*charset="?utf-8"?)?$/i
const isJson = (type = '') => type === 'application/json' || json.test(type)

/** Whether a request is a JSON query by POST with a known length and no special features. */
export function isPlain({ method, url, headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length'])
  return (
    method === 'POST' &&
    url === '/graphql' &&
    length > 0 &&
    length <= largestBody &&
    isJson(headers['content-type']) &&
    headers['content-encoding'] === undefined &&
    headers['apollo-federation-include-trace'] === undefined
  )
}

const types = ['application/json', 'application/graphql-response+json'] as const

/** The preferred media type of an answer; null if it is none that is written here. */
export function answerType(accept = '*/*'): string | null {
  if (accept === '*/*' || accept === types[0]) return types[0]
  const [first = ''] = accept.split(',', 1)
  const bare = first.trim().toLowerCase()
  if (bare === '*/*' || bare === 'application/*') return types[0]
  return types.find((type) => type === bare) ?? null
}

/**
 * Reads the body of the announced length. The stream can then be read again from the start, after `unshift`.
 * `onCut` is called if the client is gone before all of it has come.
 */
export function readBody(request: IncomingMessage, onCut: () => void, onBody: (body: Buffer) => void): void {
  const parts: Buffer[] = []
  let missing = Number(request.headers['content-length'])
  const read = (part: Buffer) => {
    parts.push(part)
    missing -= part.length
    if (missing > 0) return
    request.off('data', read).off('close', onCut)
    request.pause()
    onBody(parts.length === 1 ? part : Buffer.concat(parts))
  }
  request.on('data', read).once('close', onCut)
}

/** Whether a body has the parts of a query, each of the right type, without `explain`. */
export function isParams(value: unknown): value is GraphQLParams {
  if (!isObject(value) || value['query'] === null || faultOfJson(value) !== null) return false
  const { extensions } = value
  return !isObject(extensions) || (!('explain' in extensions) && !faultOfExtensions(extensions))
}
