import { base } from './route.ts'

const seasons = new Map<string, number>()

/** The season last shown of the league, for pages whose query needs one. */
export const season = {
  get last(): number {
    return seasons.get(base()) ?? new Date().getUTCFullYear()
  },
  set last(year: number) {
    seasons.set(base(), year)
  },
}
