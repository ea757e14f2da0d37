import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Estimates } from './estimates.ts'

export const SIZES_FILE = 'sizes.json'

/** What a server has learned of the sizes and prices of answers, and when. It has neither rows nor keys. */
export interface LearnedSizes {
  readonly learnedAt: string
  readonly estimates: Estimates
}

/** Writes what was learned in place of what a file had: whoever reads meanwhile has the one or the other. */
export function writeSizes(file: string, estimates: Estimates, now: number): void {
  mkdirSync(dirname(file), { recursive: true })
  const next = `${file}.${process.pid}.next`
  const learned = { version: 1, learnedAt: new Date(now).toISOString(), ...estimates.toJSON() }
  writeFileSync(next, `${JSON.stringify(learned, null, 2)}\n`)
  renameSync(next, file)
}

/** What a file has; null where there is none, or where it is not of this version. */
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

/** How often what was learned is written, in milliseconds. */
const every = 60_000

/** Writes what a server learns, now and then and at its end; where it cannot, it is not written. */
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
      // Prices are then told by the sizes before.
    }
  }
  const timer = setInterval(write, every).unref()
  return () => {
    clearInterval(timer)
    write()
  }
}
