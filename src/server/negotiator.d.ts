/** The part that we use. The published types lack `preferred`. */
declare module 'negotiator' {
  import type { IncomingHttpHeaders } from 'node:http'

  export default class Negotiator {
    constructor(request: { readonly headers: IncomingHttpHeaders })
    encoding<Name extends string>(available: readonly Name[], preferred: readonly Name[]): Name | undefined
  }
}
