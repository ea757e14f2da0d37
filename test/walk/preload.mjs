/**
 * Runs in Statline's process before Statline does. It counts the functions that run, and holds the clock and the
 * timers, so that they do not depend on how fast the machine is. A request that waits for a timer is not answered.
 */
import { Session } from 'node:inspector/promises'
import { syncBuiltinESMExports } from 'node:module'
import { performance } from 'node:perf_hooks'
import timers from 'node:timers'

/** The address of the folder whose functions count, and the time in milliseconds. */
const { WALK_CODE: code = '', WALK_MOMENT: moment } = process.env

/** Milliseconds after an answer in which what its request still does is counted. */
const longest = 1_000

/** The longest time of a timer, in milliseconds. */
const never = 2 ** 31 - 1

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

// The clock stands still, and the process is never busy.
const started = performance.now()
let looks = 0
Date.now = () => Number(moment)
performance.now = () => started
performance.eventLoopUtilization = () => ({ active: 0, idle: 1_000 * looks++, utilization: 0 })

/** Timers that end within `longest`, with what they run. */
const held = new Map()

const { clearTimeout, setInterval, setTimeout } = timers
const replaced = {
  setTimeout(run, ms = 1, ...given) {
    const timer = setTimeout(() => {}, never)
    if (ms <= longest) held.set(timer, { ms, run: () => run(...given) })
    return timer
  },
  clearTimeout(timer) {
    held.delete(timer)
    clearTimeout(timer)
  },
  // What runs at intervals runs without requests.
  setInterval: (run, _ms, ...given) => setInterval(run, never, ...given),
}
Object.assign(globalThis, replaced)
Object.assign(timers, replaced)
syncBuiltinESMExports()

/** Ends the shortest held timer. */
function endNext() {
  const [shortest] = [...held].toSorted(([, one], [, other]) => one.ms - other.ms)
  if (!shortest) return
  const [timer, { run }] = shortest
  held.delete(timer)
  run()
}

/** Adds the functions that ran since the last call: their places by file. Returns whether any ran. */
async function addTo(walked) {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  let hasRun = false
  for (const { url, functions } of result.filter(({ url }) => url.startsWith(code)))
    for (const {
      ranges: [{ count, startOffset, endOffset }],
    } of functions) {
      if (count === 0) continue
      hasRun = true
      const places = walked.get(url) ?? new Set()
      walked.set(url, places.add(`${startOffset}-${endOffset}`))
    }
  return hasRun
}

// Answers a message with what ran since the last one, as soon as no timer is held and nothing more runs.
process.on('message', async () => {
  const walked = new Map()
  for (let isOver = false; !isOver;) {
    endNext()
    await new Promise(setImmediate)
    isOver = !(await addTo(walked)) && held.size === 0
  }
  process.send([...walked].map(([url, places]) => [url.slice(code.length), places.size]))
})
