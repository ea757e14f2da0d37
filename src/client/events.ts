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

/**
 * The messages of a `text/event-stream`. Throws if the connection breaks, or is silent for too long. `onSign`
 * is called with whatever arrives, also comments.
 */
export async function* messagesOf(
  body: ReadableStream<Uint8Array>,
  onSign: () => void = () => {},
): AsyncGenerator<Message, void> {
  let event = ''
  let data: string[] = []
  for await (const line of linesOf(body, onSign)) {
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
    if (line !== '') continue
    if (event || data.length > 0) yield { event: event || 'message', data: data.join('\n') }
    event = ''
    data = []
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>, onSign: () => void): AsyncGenerator<string, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await inTime(
        reader.read(),
        longestSilence,
        'The stream was silent for too long.',
      )
      if (done) return
      onSign()
      // A CR at the end may be the first half of a line break.
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}
