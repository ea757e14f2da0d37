import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes of the heap in use after a garbage collection. */
export function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void // what the flag adds to a new context
  collect()
  return process.memoryUsage().heapUsed
}
