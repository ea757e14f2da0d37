import { getHeapStatistics } from 'node:v8'

/** A third of the heap. What requests need while they run, parsed documents and the process itself take the rest. */
const most = Math.floor(getHeapStatistics().heap_size_limit / 3)

/** The cache's capacity: bytes kept of all keys together, and a count of requests that orders uses in time. */
export class Capacity {
  /** Bytes that may be kept. */
  readonly most: number
  size = 0
  moment = 0

  constructor(mostKept = most) {
    this.most = mostKept
  }
}
