import { pauseBefore } from './live-store.ts'
import { callOwn } from './own-code.ts'
import { pause } from './pause.ts'

/** Milliseconds between two pings, which the graph answers. */
const keepAlive = 12_000

/** Milliseconds without a message after which a connection is treated as dead. */
const longestSilence = 40_000

/** Milliseconds that a connection may take to open. */
const longestOpening = 10_000

/** "Request Timeout": one of the codes after which graphql-ws connects again. */
const timedOut = 4408

interface Socket {
  close(code: number, reason: string): void
}

/** The browser’s `WebSocket`, or `ws`’s. */
export type SocketClass = new (url: string, protocol?: string) => Socket

export interface SocketWatcher {
  /**
   * Called when a connection breaks, with the time until which the state was current, and with null once the
   * current state has arrived.
   */
  readonly onStale?: (stale: Date | null) => void
  /** By default the global one. */
  readonly WebSocket?: SocketClass
}

/** Options for `createClient` of graphql-ws. */
export interface SocketOptions {
  readonly keepAlive: number
  readonly retryAttempts: number
  shouldRetry(): boolean
  retryWait(failures: number): Promise<void>
  readonly webSocketImpl: SocketClass | undefined
  readonly on: {
    message(message: { readonly type: string }): void
    closed(event: unknown): void
  }
}

/**
 * Options for graphql-ws’s `createClient` with which it always comes back, after the pauses of our own
 * client, and notices a lost network. By its defaults it gives up at the first connection that is refused.
 */
export function socketOptions({ onStale = () => {}, WebSocket }: SocketWatcher = {}): SocketOptions {
  let socket: Socket | null = null
  let silence: ReturnType<typeof setTimeout> | undefined
  /** When the last message came, pings included, in milliseconds since 1970; null before the first event. */
  let currentAt: number | null = null
  let isStale = false

  const show = (stale: Date | null) => {
    isStale = stale !== null
    callOwn(() => onStale(stale))
  }
  const expectSign = (within: number) => {
    clearTimeout(silence)
    silence = setTimeout(() => socket?.close(timedOut, 'Silence'), within)
  }
  return {
    keepAlive,
    retryAttempts: Infinity,
    shouldRetry: () => true,
    retryWait: (failures) => pause(pauseBefore(failures + 1), undefined),
    webSocketImpl: watched(WebSocket ?? globalThis.WebSocket, (opening) => {
      socket = opening
      expectSign(longestOpening)
    }),
    on: {
      message({ type }) {
        expectSign(longestSilence)
        const isEvent = type === 'next'
        // On a new connection the state is not current before its first event.
        if (isEvent || (currentAt !== null && !isStale)) currentAt = Date.now()
        if (isEvent && isStale) show(null)
      },
      closed(event) {
        clearTimeout(silence)
        const { code } = event as { readonly code?: number } // a CloseEvent
        if (code !== 1000 && currentAt !== null && !isStale) show(new Date(currentAt))
      },
    },
  }
}

/** The class with each of its objects passed on. None on a server without WebSockets. */
function watched(Base: SocketClass | undefined, onNew: (socket: Socket) => void): SocketClass | undefined {
  if (!Base) return undefined
  return class extends Base {
    constructor(url: string, protocol?: string) {
      super(url, protocol)
      onNew(this)
    }
  }
}
