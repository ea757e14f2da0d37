import { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'

/** What answers are written as, and what stands for any of it. */
const written =
  /(^|,)\s*(\*\/\*|application\/(\*|json|graphql-response\+json)|text\/(\*|event-stream)|multipart\/(\*|mixed))\s*(;|,|$)/i

const malformed = () =>
  new GraphQLError('The variables or extensions are not JSON.', {
    extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
  })

/** Refuses what cannot be answered before it is read, and so before it spends anything. */
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
