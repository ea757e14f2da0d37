import { getHeapStatistics } from 'node:v8'

/** Rows and facets that half of the process's memory holds, at 4 KiB each: the widest, a team's statistics, take as much. */
const most = Math.floor(getHeapStatistics().heap_size_limit / 8_192)

/** How much is kept, of all keys together, and a count of requests, by which it shows what is unused for longest. */
export class Stock {
  readonly most: number
  size = 0
  moment = 0

  constructor(mostKept = most) {
    this.most = mostKept
  }
}
