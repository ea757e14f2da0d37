import { readFileSync } from 'node:fs'
import type { Findings } from '../../capabilities/capabilities.ts'
import { nameOf } from '../../specification/operation.ts'
import type { Argument } from '../../specification/operation.ts'
import { readFailure } from './recorded-failure.ts'
import type { Recorded } from '../../wire/not-recorded.ts'
import type { Outgoing } from '../../wire/transport.ts'

/** A tape cannot be written or read. The message is one line. */
export class TapeError extends Error {
  override readonly name = 'TapeError'
}

/** What the recording began with. The calls of a page depend on it. */
export interface Beginning {
  /** The time in milliseconds since 1970; null if it is unknown. */
  readonly at: number | null
  /** What was known of the service. */
  readonly findings: Findings
  /** The learned sizes and prices as JSON; null if there were none. */
  readonly sizes: object | null
}

/** The first line of a tape. Tapes of earlier versions do not have it. */
export interface FirstLine {
  readonly beginning: Beginning
}

export interface TapeContent {
  readonly lines: readonly Recorded[]
  readonly beginning: Beginning
}

const unknown: Beginning = { at: null, findings: {}, sizes: null }

const sorted = (value: Argument): Argument => (typeof value === 'object' ? value.toSorted() : value)

/** Identifies a call by its operation and its arguments in any order. */
export function callOf({ operation, arguments: values }: Pick<Outgoing, 'operation' | 'arguments'>): string {
  const entries = Object.entries(values).map(([name, value]) => [name, sorted(value)] as const)
  return `${nameOf(operation)} ${JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))}`
}

/** Reads a tape. Warns if lines were cut off, which are left out, or if there are none. Throws TapeError. */
export function readTape(file: string, warn: (text: string) => void): TapeContent {
  const text = onTape(file, 'read', () => readFileSync(file, 'utf8'))
  const { cut, ...content } = onTape(file, 'read as a tape', () => contentOf(text))
  const named = `UPSTREAM_TAPE names ${JSON.stringify(file)}, which has`
  if (cut > 0)
    warn(
      `${named} ${cut} ${cut === 1 ? 'line that was' : 'lines that were'} cut off. Answers are missing on it.`,
    )
  else if (content.lines.length === 0) warn(`${named} no answers.`)
  return content
}

/**
 * The lines of a tape, and the number of those that were cut off, because the process was killed or the disk
 * was full. Throws if it is not a tape.
 */
function contentOf(text: string): TapeContent & { readonly cut: number } {
  const all = text.split('\n').filter(Boolean)
  const parsed = all.map(parsedLine).filter((line) => line !== undefined)
  const cut = all.length - parsed.length
  if (cut > 0 && parsed.length === 0) throw new Error('This is not a tape.')
  const [first, ...rest] = parsed
  const beginning = beginningIn(first)
  const lines = (beginning ? rest : parsed).map(recordedIn)
  return { lines, beginning: beginning ?? unknown, cut }
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** What the recording began with; null if this is another line. */
function beginningIn(line: unknown): Beginning | null {
  if (!isObject(line) || !('beginning' in line) || !isObject(line.beginning)) return null
  const { at, findings, sizes } = line.beginning as Partial<Beginning> // each is looked at
  const found = Object.entries(isObject(findings) ? findings : {}).filter(([, finding]) => isObject(finding))
  return {
    at: typeof at === 'number' ? at : null,
    findings: Object.fromEntries(found),
    sizes: isObject(sizes) ? sizes : null,
  }
}

/**
 * Parses a line of a tape. Throws if it is invalid. Tapes of earlier versions do not number their keys: all
 * their lines are of one key.
 */
function recordedIn(line: unknown): Recorded {
  const { call, operation, key = 0, status, headers, body, bytes, failure } = line as Partial<Recorded> // each is looked at
  if (typeof call !== 'string' || typeof status !== 'number' || typeof body !== 'string' || !headers)
    throw new Error('This is not a line of a tape.')
  return {
    call,
    ...(operation && { operation }),
    key,
    status,
    headers,
    body,
    bytes: bytes ?? Buffer.byteLength(body),
    ...(failure && { failure: readFailure(failure) }),
  }
}

export const fault = (file: string, what: string) =>
  `UPSTREAM_TAPE names ${JSON.stringify(file)}, which cannot be ${what}.`

export function onTape<T>(file: string, what: string, work: () => T): T {
  try {
    return work()
  } catch {
    throw new TapeError(fault(file, what))
  }
}
