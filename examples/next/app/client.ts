import { Client } from 'statline-client'

/** Where Statline is. Read with each request, so that one build runs everywhere. */
export const graph = () => process.env['STATLINE_URL'] ?? 'http://127.0.0.1:4000/graphql'

/** A client for one request of one visitor: what it keeps is shown to nobody else. */
export const clientOfRequest = () =>
  new Client({
    url: graph(),
    // Headers may be async: a key from a vault, or of the visitor’s session.
    headers: async () => ({ 'graphql-client-name': 'next-example' }),
  })
