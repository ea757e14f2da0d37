import type { LeaderboardDocument, VariablesOf } from 'statline-client'

/** Used on the server and in the browser, so that both mean the same query. */
export const leadersOf = (season: number | undefined): VariablesOf<typeof LeaderboardDocument> => ({
  subject: 'TEAM',
  season,
  orderBy: 'points',
  first: 5,
})
