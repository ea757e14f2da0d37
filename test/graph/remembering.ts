import { setImmediate as turn } from 'node:timers/promises'
import type { Incoming, Transport } from '../../src/wire/transport.ts'

/**
 * Returns the same answer to the same request, and all answers of one turn together, so that costs do not depend on how
 * long answers take. `onUnknown` is told of requests that had to be sent, whose answers take time.
 */
export function remembering(transport: Transport, onUnknown: () => void = () => {}): Transport {
  const answers = new Map<string, Incoming>()
  return async (request) => {
    const { apiKey, method, path, body, gzip = false } = request
    const form = `${apiKey} ${method} ${gzip} ${path} ${body}`
    let answer = answers.get(form)
    if (!answer) {
      onUnknown()
      // A copy, because the body is dropped once it is read.
      answers.set(form, (answer = { ...(await transport(request)) }))
    }
    await turn()
    await turn()
    return answer
  }
}
