import { read, refused, seasonByScores } from './variant.ts'
import type { Variant } from './variant.ts'

/** Games are found by their ids alone. */
export const refusedFilters: Variant = {
  name: 'refused filters',
  differs: ['season of game/read', 'home_team_id of game/read'],
  async answer(request, service) {
    const { operation, values } = read(request)
    const isOurs = /^game\/(read|get)$/.test(operation)
    const filter = ['season', 'home_team_id', 'away_team_id'].find((name) => isOurs && values[name])
    return filter ? refused(`Argument ${filter} is not a filter of this class.`) : service(request)
  },
  calls: seasonByScores,
}
