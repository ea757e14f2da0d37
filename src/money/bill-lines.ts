import { fingerprintOf } from './key-hash.ts'
import type { Spending } from './ledger-store.ts'
import { isHour, isWithin, periodOf, timeIn } from './period.ts'
import type { Period } from './period.ts'
import { rounded } from './rounded.ts'

/** What spending can be grouped by. */
export const groupings = ['client', 'operation', 'day', 'hour', 'service', 'key'] as const
export type Grouping = (typeof groupings)[number]

/** A bill was requested in a wrong way. The message is one line. */
export class BillQuestionError extends Error {
  override readonly name = 'BillQuestionError'
}

/** The period and the groups of a bill. */
export interface BillQuestion {
  readonly period: Period
  readonly by: readonly Grouping[]
  /** The period to compare with; null for none. */
  readonly before: Period | null
}

/** The groups if none are named. */
export const usualGroupings = 'client,operation'

/** Parses a period and groups: `2026-02-14T20`, `client,operation`. Throws BillQuestionError. */
export function billQuestion(period: string, by: string, isCompared: boolean): BillQuestion {
  const of = periodOf(period)
  if (!of)
    throw new BillQuestionError(
      'A bill is of a month, a day or an hour: 2026-02, 2026-02-14 or 2026-02-14T20.',
    )
  const before = isCompared ? periodOf(of.before) : null
  if (isCompared && !before)
    throw new BillQuestionError(`There is nothing before ${period} to compare it with.`)
  return { period: of, by: [...new Set(by.split(',').map(groupingOf))], before }
}

function groupingOf(name: string): Grouping {
  const grouping = groupings.find((one) => one === name.trim())
  if (grouping) return grouping
  throw new BillQuestionError(
    `A bill can be grouped by ${groupings.join(', ')}, not by ${JSON.stringify(name)}.`,
  )
}

/** A bill's lines, and what is missing from it. */
interface BillLines {
  readonly lines: readonly BillLine[]
  /** Days of which hours were asked for that are no longer kept. */
  readonly daysWithoutHours: readonly string[]
}

/** Sums of one group. */
export interface BillLine {
  readonly names: readonly string[]
  tokens: number
  /** Its tokens, calls and bytes in the period before, if compared. */
  before?: number
  callsBefore?: number
  bytesBefore?: number
  estimated: number
  calls: number
  bytes: number
}

/** Reads what was spent from one day to another, inclusive. Rows may cancel each other out. */
type Read = (from: string, to: string) => Promise<readonly Spending[]>

/**
 * The lines of a bill: the dearest first, or if compared the largest growth first. Days and hours are in order
 * of time. If compared, a day stands beside the same day of the month before, and an hour beside the same hour
 * of the day before. A group of which nothing was spent, called or sent has no line.
 */
export async function billLines(read: Read, { period, by, before }: BillQuestion): Promise<BillLines> {
  const lines = new Map<string, BillLine>()
  const now = await spentIn(period, read)
  for (const one of now.spent) add(lineOf(lines, one, by), one)
  const then = before && (await spentIn(before, read))
  if (then) {
    for (const one of then.spent) {
      const time = timeIn(period, before, one)
      addBefore(lineOf(lines, { ...one, ...time }, by), one)
    }
    for (const line of lines.values()) addBefore(line, { tokens: 0, calls: 0, bytes: 0 })
  }
  for (const line of lines.values()) round(line)
  const daysWithoutHours = [now, then].flatMap((one) => one?.dayWithoutHours ?? [])
  const isTimeline = by[0] === 'day' || by[0] === 'hour'
  const growth = ({ tokens, before: then = 0 }: BillLine) => tokens - then
  const sorted = [...lines.values()]
    .filter(isSomething)
    .toSorted(
      (a, b) =>
        (isTimeline ? (a.names[0] ?? '').localeCompare(b.names[0] ?? '') : 0) ||
        growth(b) - growth(a) ||
        b.tokens - a.tokens,
    )
  return { lines: sorted, daysWithoutHours: [...new Set(daysWithoutHours)] }
}

const isSomething = ({ tokens, calls, bytes, before, callsBefore, bytesBefore }: BillLine) =>
  Boolean(tokens || calls || bytes || before || callsBefore || bytesBefore)

interface Spent {
  readonly spent: readonly Spending[]
  /** The day, if an hour was asked for and the day's hours are not kept. */
  readonly dayWithoutHours: string | null
}

async function spentIn(period: Period, read: Read): Promise<Spent> {
  const rows = await read(period.from, period.to)
  const isWithoutHours = isHour(period) && rows.some(({ hour }) => hour === '')
  return {
    spent: rows.filter((one) => isWithin(period, one)),
    dayWithoutHours: isWithoutHours ? period.from : null,
  }
}

function lineOf(lines: Map<string, BillLine>, one: Spending, by: readonly Grouping[]): BillLine {
  const names = by.map((name) => nameOf(one, name))
  const id = JSON.stringify(names)
  const known = lines.get(id)
  if (known) return known
  const line = { names, tokens: 0, estimated: 0, calls: 0, bytes: 0 }
  lines.set(id, line)
  return line
}

function add(line: BillLine, one: Spending): void {
  line.tokens += one.tokens
  line.estimated += one.estimated
  line.calls += one.calls
  line.bytes += one.bytes
}

function addBefore(
  line: BillLine,
  { tokens, calls, bytes }: Pick<Spending, 'tokens' | 'calls' | 'bytes'>,
): void {
  line.before = rounded((line.before ?? 0) + tokens)
  line.callsBefore = (line.callsBefore ?? 0) + calls
  line.bytesBefore = rounded((line.bytesBefore ?? 0) + bytes)
}

function round(line: BillLine): void {
  line.tokens = rounded(line.tokens)
  line.estimated = rounded(line.estimated)
  line.bytes = rounded(line.bytes)
}

function nameOf(one: Spending, by: Grouping): string {
  if (by === 'key') return fingerprintOf(one.key)
  return by === 'hour' && one.hour !== '' ? `${one.day}T${one.hour}` : one[by === 'hour' ? 'day' : by]
}

/** Comma-separated values with a header. */
export function csvOf(lines: readonly BillLine[], { by, before }: BillQuestion): string {
  const rows = lines.map((line) => [
    ...line.names,
    line.tokens,
    ...(before ? [line.before ?? 0] : []),
    line.estimated,
    line.calls,
    ...(before ? [line.callsBefore ?? 0] : []),
    line.bytes,
    ...(before ? [line.bytesBefore ?? 0] : []),
  ])
  const sums = before
    ? ['tokens', 'before', 'estimated', 'calls', 'callsBefore', 'bytes', 'bytesBefore']
    : ['tokens', 'estimated', 'calls', 'bytes']
  return [[...by, ...sums], ...rows].map(csvLine).join('\n')
}

/** One line of comma-separated values. */
export const csvLine = (cells: readonly (string | number)[]): string =>
  cells.map((cell) => quoted(String(cell))).join(',')

/** A spreadsheet would execute cells that look like formulas, and clients choose their own names. */
const quoted = (cell: string) => {
  const safe = /^[=+\-@\t\r]/.test(cell) && !/^-?[\d.]+$/.test(cell) ? `'${cell}` : cell
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The groups as JSON, each with its names. */
export const jsonOf = (lines: readonly BillLine[], { by }: BillQuestion): string =>
  JSON.stringify(
    lines.map(({ names, ...sums }) => ({
      ...Object.fromEntries(by.map((name, at) => [name, names[at]])),
      ...sums,
    })),
    null,
    2,
  )
