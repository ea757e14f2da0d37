import { longestOpening } from './client.ts'
import { longestSilence } from './events.ts'
import { inTime } from './pause.ts'

type Fetch = typeof globalThis.fetch

/**
 * A fetch for streams of events. It fails, and ends its connection, if a stream does not open in time or is
 * silent for too long. A lost network would otherwise keep it waiting for minutes. `onSign` is called with each part
 * of a stream but the first, which only shows that it has opened. `onOpen` is called with each stream that opens; what
 * it returns is called with each part.
 */
export const timedFetch =
  (
    fetch: Fetch | undefined,
    onSign: () => void = () => {},
    onOpen: () => (part: Uint8Array) => void = () => () => {},
  ): Fetch =>
  async (address, init) => {
    const connection = new AbortController()
    const cut = () => connection.abort()
    init?.signal?.addEventListener('abort', cut)
    if (init?.signal?.aborted) cut()
    try {
      // The global one is looked up when it is needed, for pages that replace it.
      const opening = (fetch ?? globalThis.fetch)(address, { ...init, signal: connection.signal })
      const response = await inTime(opening, longestOpening, 'The stream did not open.')
      return response.body ? new Response(timed(response.body, onSign, onOpen()), response) : response
    } catch (error) {
      cut()
      throw error
    }
  }

/** A body whose parts have to come in time. */
function timed(
  body: ReadableStream<Uint8Array>,
  onSign: () => void,
  onPart: (part: Uint8Array) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let parts = 0
  return new ReadableStream({
    async pull(controller) {
      try {
        const reading = reader.read()
        const { done, value } = await inTime(reading, longestSilence, 'The stream was silent for too long.')
        if (done) controller.close()
        else {
          onPart(value)
          controller.enqueue(value)
        }
        if (!done && (parts += 1) > 1) onSign()
      } catch (error) {
        void reader.cancel(error).catch(() => {})
        throw error
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
