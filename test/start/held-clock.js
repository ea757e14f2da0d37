// Loaded into a program by `--import`: a drain of an hour lasts until SIGUSR2, and what is running when a server closes
// gets all the time that it needs.
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { patient } from '../../dist/server/listen.js'

patient.graceMs = 2 ** 31 - 1

const drained = new Promise((is) => process.once('SIGUSR2', is))
const wait = timers.setTimeout
timers.setTimeout = (ms, ...rest) => {
  if (ms !== 3_600_000) return wait(ms, ...rest)
  console.log('It drains for 3600 s.')
  return drained
}
syncBuiltinESMExports()
