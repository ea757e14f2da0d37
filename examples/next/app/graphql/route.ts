import { graph } from '../client.ts'

/**
 * Passes the browser’s queries and live events on to the graph. A key would be added here, and never leave
 * the server.
 */
export async function POST(request: Request): Promise<Response> {
  const { status, headers, body } = await fetch(graph(), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: request.headers.get('accept') ?? 'application/json',
      'graphql-client-name': 'next-example',
    },
    body: await request.text(),
    signal: request.signal, // a page that is left ends its subscription
  })
  const contentType = headers.get('content-type') ?? 'application/json'
  return new Response(body, { status, headers: { 'content-type': contentType, 'cache-control': 'no-store' } })
}
