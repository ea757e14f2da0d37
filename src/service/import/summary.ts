import type { Summary } from '../league/publish.ts'
import { computedTables } from '../store/schema.ts'

/** An omission, correction or decision: how often, and why. */
export interface Note {
  readonly what: string
  readonly count: number
  readonly why: string
  /** A probable error rather than a decision. */
  readonly warning?: boolean
}

export interface ImportSummary extends Summary {
  readonly read: readonly { readonly file: string; readonly rows: number }[]
  readonly notes: readonly Note[]
  readonly seconds: number
}

const computed: ReadonlySet<string> = new Set(computedTables)
const isComputed = (table: string) => computed.has(table)

/** The summary as lines for a terminal: what was read, filled, computed and left out, and why. */
export function summaryLines(summary: ImportSummary): string[] {
  const tables = Object.entries(summary.rows).filter(([, count]) => count > 0)
  return [
    `Imported ${summary.source}, season ${summary.seasons.join(', ')}, in ${summary.seconds.toFixed(1)} s`,
    ...section(
      'read',
      summary.read.map(({ file, rows }) => [file, rows] as const),
    ),
    ...section(
      'filled',
      tables.filter(([table]) => !isComputed(table)),
    ),
    ...section(
      'computed',
      tables.filter(([table]) => isComputed(table)),
    ),
    ...noted('warnings', summary.notes, true),
    ...noted('left out or decided', summary.notes, false),
  ]
}

function noted(title: string, notes: readonly Note[], warnings: boolean): string[] {
  const lines = notes
    .filter(({ count, warning = false }) => count > 0 && warning === warnings)
    .map(({ what, count, why }) => `  ${figure(count)}  ${what}: ${why}`)
  return lines.length === 0 ? [] : [title, ...lines]
}

const section = (title: string, counts: readonly (readonly [string, number])[]) => [
  title,
  ...counts.map(([name, count]) => `  ${figure(count)}  ${name}`),
]

const figure = (count: number) => count.toLocaleString('en-US').padStart(9)
