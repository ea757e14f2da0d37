import { availableParallelism } from 'node:os'
import { Line } from './line.ts'
import type { Statement, Value } from './line.ts'
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
const LINES = Math.max(2, availableParallelism())

const MOST_LINES = LINES + 8

/** Milliseconds without an answer after which another connection is opened beside this one. */
const HELD_UP_MS = 20

/**
 * Sends the statements of one turn of the event loop together, over one connection and in one write, and
 * waits for no answer before the next statement. Writing to a connection is most of what a statement costs
 * here.
 */
export function senderOf(url: string, waits: Waits = defaultWaits): Sender {
  const lines = new Set<Line>()
  const nameOf = names()
  let waiting: Statement[] = []
  const flush = () => {
    const statements = waiting
    waiting = []
    const line = lineOf(lines) ?? added(lines, url, waits)
    line.send(statements)
  }
  return {
    send: (text, values) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush)
        waiting.push({ name: nameOf(text), text, values, resolve, reject })
      }),
    close() {
      for (const line of lines) line.close()
    },
  }
}

/**
 * The connection for the next statements: a free one, or the one with the fewest. Undefined if one has to be
 * opened.
 */
function lineOf(lines: ReadonlySet<Line>): Line | undefined {
  const all = [...lines]
  const free = all.find(({ pending }) => pending === 0)
  if (free) return free
  const moving = all.filter(({ silence }) => silence < HELD_UP_MS)
  if (lines.size < LINES || (moving.length === 0 && lines.size < MOST_LINES)) return undefined
  const [least] = (moving.length > 0 ? moving : all).toSorted((one, other) => one.pending - other.pending)
  return least
}

function added(lines: Set<Line>, url: string, waits: Waits): Line {
  const line: Line = new Line(url, waits, {
    onIdle: () => {
      if (lines.size > LINES) line.close()
    },
    onEnd: () => lines.delete(line),
  })
  lines.add(line)
  return line
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
