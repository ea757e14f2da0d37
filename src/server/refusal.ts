import { codeOfStatus } from './log-line.ts'

type FetchAPI = Pick<typeof globalThis, 'Response'>

/** Refuses a request that a status alone explains, in the form of a GraphQL answer. It has cost nothing. */
export function refusalOf(
  { Response }: FetchAPI,
  status: number,
  message: string,
  more: Record<string, string> = {},
): Response {
  const body = {
    errors: [{ message, extensions: { code: codeOfStatus(status) } }],
    extensions: { usage: { tokens: 0, bytes: 0, calls: 0, cacheHits: 0 } },
  }
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...more }
  return new Response(`${JSON.stringify(body)}\n`, { status, headers })
}
