import { readFileSync } from 'node:fs'
import { replaceFile } from '../replace-file.ts'
import { Estimates } from './estimates.ts'

export const SIZES_FILE = 'sizes.json'

/** The sizes and prices of answers that a server has learned, and when. It contains neither rows nor keys. */
export interface LearnedSizes {
  readonly learnedAt: string
  readonly estimates: Estimates
}

/** Replaces the file atomically. */
export function writeSizes(file: string, estimates: Estimates, now: number): void {
  const learned = { version: 1, learnedAt: new Date(now).toISOString(), ...estimates.toJSON() }
  replaceFile(file, `${JSON.stringify(learned, null, 2)}\n`)
}

/** The content of a file; null if there is none, or if it is of another version. */
export function readSizes(file: string): LearnedSizes | null {
  try {
    const text: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof text !== 'object' || text === null || !('version' in text) || text.version !== 1) return null
    const learnedAt = 'learnedAt' in text ? String(text.learnedAt) : ''
    return { learnedAt, estimates: Estimates.from(text) }
  } catch {
    return null
  }
}

/** Milliseconds between two writes. */
const every = 60_000

/** Saves what a server learns from time to time and at its end. Failures are ignored. */
export function keepSizes(
  file: string,
  current: () => Estimates | undefined,
  clock: () => number,
): () => void {
  let written = 0
  const write = () => {
    const estimates = current()
    if (!estimates || estimates.learned === written) return
    written = estimates.learned
    try {
      writeSizes(file, estimates, clock())
    } catch {
      // The file keeps its earlier sizes, and prices are told with them.
    }
  }
  const timer = setInterval(write, every).unref()
  return () => {
    clearInterval(timer)
    write()
  }
}
