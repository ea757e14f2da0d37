import { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'

/** The content types of answers, and the wildcards that match them. */
const written =
  /(^|,)\s*(\*\/\*|application\/(\*|json|graphql-response\+json)|text\/(\*|event-stream)|multipart\/(\*|mixed))\s*(;|,|$)/i

const malformed = () =>
  new GraphQLError('The variables or extensions are not JSON.', {
    extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
  })

/** Refuses requests whose answer the client could not read, before anything is spent. */
export function useRequests(): Plugin {
  return {
    onRequestParse({ request, requestParser, setRequestParser, endResponse, fetchAPI }) {
      if (!written.test(request.headers.get('accept') ?? '*/*'))
        return endResponse(new fetchAPI.Response(null, { status: 406 }))
      if (!requestParser) return undefined
      return setRequestParser(async (asked) => {
        try {
          return await requestParser(asked)
        } catch (error) {
          throw error instanceof SyntaxError ? malformed() : error
        }
      })
    },
  }
}
