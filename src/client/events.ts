import { createParser } from 'eventsource-parser'
import { callOwn } from './own-code.ts'
import { inTime } from './pause.ts'

/** One message of a stream of server-sent events (HTML, 9.2). */
export interface Message {
  readonly event: string
  readonly data: string
}

/**
 * Milliseconds without data after which a connection is treated as dead. The graph sends a ping every 12
 * seconds.
 */
export const longestSilence = 40_000

/** Reads the parts of a `text/event-stream`, and calls `onMessage` with each message. */
export function messageReader(onMessage: (message: Message) => void): (part: Uint8Array) => void {
  const parser = createParser({ onEvent: ({ event = 'message', data }) => onMessage({ event, data }) })
  const decoder = new TextDecoder()
  return (part) => parser.feed(decoder.decode(part, { stream: true }))
}

/**
 * The messages of a `text/event-stream`. Throws if the connection breaks, or is silent for too long. `onSign`
 * is called with whatever arrives, also comments.
 */
export async function* messagesOf(
  body: ReadableStream<Uint8Array>,
  onSign: () => void = () => {},
): AsyncGenerator<Message, void> {
  const messages: Message[] = []
  const read = messageReader((message) => messages.push(message))
  const reader = body.getReader()
  try {
    for (;;) {
      const reading = reader.read()
      const { value, done } = await inTime(reading, longestSilence, 'The stream was silent for too long.')
      if (done) return
      callOwn(onSign)
      read(value)
      yield* messages.splice(0)
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}
