import { read, seasonByScores, withValues } from './variant.ts'
import type { Variant } from './variant.ts'

const ignored: Readonly<Record<string, string>> = {
  elo: 'team_id',
  player_boxscore: 'team_id',
  game: 'home_team_id',
}

/** Some filters are not looked at. */
export const ignoredFilters: Variant = {
  name: 'ignored filters',
  differs: ['home_team_id of game/read', 'team_id of elo/read'],
  async answer(request, service) {
    const { operation, values } = read(request)
    const [table = '', name] = operation.split('/')
    const left = Object.entries(values).filter(
      ([argument]) => !((name === 'read' || name === 'get') && ignored[table] === argument),
    )
    return service(withValues(request, { operation, values: Object.fromEntries(left) }))
  },
  calls: (specified, name) =>
    seasonByScores(specified, name).map((line) => (line.startsWith('elo/read') ? 'elo/read 1' : line)),
}
