import { getHeapStatistics } from 'node:v8'

/** A third of the heap. Running requests, parsed documents and the process itself take the rest. */
const most = Math.floor(getHeapStatistics().heap_size_limit / 3)

/** The capacity of the cache for all keys together, and a count of requests that orders rows by last use. */
export class Capacity {
  /** Maximum bytes. */
  readonly most: number
  size = 0
  uses = 0

  constructor(mostKept = most) {
    this.most = mostKept
  }
}
