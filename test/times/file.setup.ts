import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Of a test file: milliseconds until its end, and of processor time of its process and its programs. */
    times?: { readonly wall: number; readonly work: number }
  }
}

/** Linux counts processor time in hundredths of a second. */
const tick = 10

/** Processor time of this process and of the programs that it has seen end. Elsewhere than on Linux: without those. */
function work(): number {
  try {
    const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ')
    const counted = fields.split(' ').slice(11, 15) // user and system, its own and its programs'
    return counted.reduce((sum, ticks) => sum + Number(ticks) * tick, 0)
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

// A worker runs this before each file, before that is loaded.
const begun = { at: Date.now(), work: work() }

// oxlint-disable-next-line no-empty-pattern -- vitest asks for a pattern
afterAll(({}, { file }) => {
  file.meta.times = { wall: Date.now() - begun.at, work: work() - begun.work }
})
