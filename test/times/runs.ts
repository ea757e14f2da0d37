import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'

/** Where the time of a run of vitest went, in milliseconds. */
export interface RunTimes {
  /** Its projects. */
  readonly run: string
  readonly tests: number
  readonly files: number
  readonly wall: number
  /** Until the first file began. */
  readonly setup: number
  /** Packages that suites bring along, summed over workers. */
  readonly install: number
  /** Wall time without processor time, summed over files. */
  readonly wait: number
  /** Processor time, summed over files. */
  readonly work: number
}

/** The last whole runs are kept here. `npm ci` empties it. */
export function folder(): string {
  const path = resolve(import.meta.dirname, '../../node_modules/.cache/statline/times')
  mkdirSync(path, { recursive: true })
  return path
}
