import { GraphQLError } from 'graphql'
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { documentId } from './documents.ts'
import { refusalOf } from './refusal.ts'
import { faultOfJson, isObject } from './request-json.ts'

/** The content types of answers, and the wildcards that match them. */
const written =
  /(^|,)\s*(\*\/\*|application\/(\*|json|graphql-response\+json)|text\/(\*|event-stream)|multipart\/(\*|mixed))\s*(;|,|$)/i

export const malformed = (message = 'The variables or extensions are not JSON.') =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } })

const unread = 'The body has a type that is not read: send a query as application/json.'

const packed = 'A compressed body is not read: send it without Content-Encoding.'

/** Whether a body is compressed. Queries are short, and what unpacks them would have to be bounded. */
const isPacked = ({ headers }: Request) => !/^(identity)?$/i.test(headers.get('content-encoding') ?? '')

const withoutQuery = () =>
  new GraphQLError('Must provide query string.', {
    extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
  })

/** Refuses requests without a query, with status 400 for every media type. After documents are found. */
export const useQueryCheck = (): Plugin => ({
  onParams({ params }) {
    if (params.query === undefined || params.query === null) throw withoutQuery()
  },
})

/** What a parser reads. It may throw at once, or reject. */
async function parsed<T>(parse: () => T): Promise<Awaited<T>> {
  try {
    return await parse()
  } catch (error) {
    if (error instanceof SyntaxError) throw malformed()
    // With Yoga's own error for a body that is not JSON, an event stream begins with status 200.
    const isMalformed = error instanceof GraphQLError && error.extensions['code'] === 'BAD_REQUEST'
    throw isMalformed ? malformed(error.message) : error
  }
}

const members: ReadonlySet<string> = new Set([
  'query',
  'operationName',
  'variables',
  'extensions',
  documentId,
])

/** Without members that GraphQL over HTTP does not name, such as an id of the client's: they are ignored. */
const known = (params: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(params).filter(([name]) => members.has(name))) as GraphQLParams // their types were just seen

/** A media type may be written in any letters. Yoga compares those that are written here. */
function lowerType({ headers }: Request): void {
  const type = headers.get('content-type') ?? ''
  const [media = ''] = type.split(';', 1)
  if (media !== media.toLowerCase())
    headers.set('content-type', media.toLowerCase() + type.slice(media.length))
}

/** Refuses requests whose answer the client could not read, before anything is spent. */
export function useRequestCheck(): Plugin {
  return {
    onRequest: ({ request }) => lowerType(request),
    onRequestParse({ request, requestParser, setRequestParser, endResponse, fetchAPI }) {
      if (!written.test(request.headers.get('accept') ?? '*/*'))
        return endResponse(new fetchAPI.Response(null, { status: 406 }))
      // RFC 9110, 15.5.16: the header says that it is refused for its coding.
      if (request.method === 'POST' && isPacked(request))
        return endResponse(refusalOf(fetchAPI, 415, packed, { 'accept-encoding': 'identity' }))
      // Yoga refuses other methods later.
      if (!requestParser)
        return request.method === 'POST' ? endResponse(refusalOf(fetchAPI, 415, unread)) : undefined
      return setRequestParser(async (asked) => {
        const params = await parsed(() => requestParser(asked))
        // Before any plugin reads them.
        const fault = faultOfJson(params)
        if (fault !== null) throw malformed(fault)
        return isObject(params) ? known(params) : params
      })
    },
  }
}
