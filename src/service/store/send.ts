import { availableParallelism } from 'node:os'
import { PipelinedConnection } from './pipelined-connection.ts'
import type { Statement, Value } from './pipelined-connection.ts'
import { defaultWaits } from './postgres.ts'
import type { Waits } from './postgres.ts'

/** Sends a statement to a PostgreSQL. @returns its rows, each a list of its columns */
export type Send = (text: string, values: readonly (string | number)[]) => Promise<Value[][]>

export interface Sender {
  readonly send: Send
  close(): void
}

/**
 * Named statements are parsed and planned once for each connection, which keeps them. Rarer ones are sent in
 * full.
 */
const MOST_NAMES = 400

/** The number of connections kept open: more than the cores would not be faster. */
const CONNECTIONS = Math.max(2, availableParallelism())

const MOST_CONNECTIONS = CONNECTIONS + 8

/** Milliseconds without an answer after which another connection is opened beside this one. */
const HELD_UP_MS = 20

/**
 * Sends the statements of one turn of the event loop together, over one connection and in one write, and
 * waits for no answer before the next statement. Writing to a connection is most of what a statement costs
 * here.
 */
export function senderOf(url: string, waits: Waits = defaultWaits): Sender {
  const connections = new Set<PipelinedConnection>()
  const nameOf = names()
  let waiting: Statement[] = []
  const flush = () => {
    const statements = waiting
    waiting = []
    for (const connection of connections) if (connection.isOld) connection.close()
    const connection = leastBusy(connections) ?? added(connections, url, waits)
    connection.send(statements)
  }
  return {
    send: (text, values) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush)
        waiting.push({ name: nameOf(text), text, values, resolve, reject })
      }),
    close() {
      for (const connection of connections) connection.close()
    },
  }
}

/**
 * The connection for the next statements: a free one, or the one with the fewest. Undefined if one has to be
 * opened.
 */
function leastBusy(connections: ReadonlySet<PipelinedConnection>): PipelinedConnection | undefined {
  const all = [...connections]
  const free = all.find(({ pending }) => pending === 0)
  if (free) return free
  const moving = all.filter(({ silence }) => silence < HELD_UP_MS)
  if (connections.size < CONNECTIONS || (moving.length === 0 && connections.size < MOST_CONNECTIONS))
    return undefined
  const [least] = (moving.length > 0 ? moving : all).toSorted((one, other) => one.pending - other.pending)
  return least
}

function added(connections: Set<PipelinedConnection>, url: string, waits: Waits): PipelinedConnection {
  const connection: PipelinedConnection = new PipelinedConnection(url, waits, {
    onIdle: () => {
      if (connections.size > CONNECTIONS) connection.close()
    },
    onEnd: () => connections.delete(connection),
  })
  connections.add(connection)
  return connection
}

function names(): (text: string) => string | undefined {
  const known = new Map<string, string>()
  return (text) => {
    const name = known.get(text)
    if (name !== undefined || known.size >= MOST_NAMES) return name
    known.set(text, `statline_${known.size}`)
    return known.get(text)
  }
}
