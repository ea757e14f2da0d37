/** The part that we use. The published types are of an older version, without `preferred`. */
declare module 'negotiator' {
  import type { IncomingHttpHeaders } from 'node:http'

  export default class Negotiator {
    constructor(request: { readonly headers: IncomingHttpHeaders })
    encoding<Name extends string>(
      available: readonly Name[],
      options: { readonly preferred: readonly Name[] },
    ): Name | undefined
  }
}
