import { read, refused, singly } from './variant.ts'
import type { Variant } from './variant.ts'

/** An argument has one value. */
export const noArrays: Variant = {
  name: 'no arrays',
  differs: [
    'several values',
    'several team_id in elo/read',
    'several game_id in odds/read',
    'several game_id in player_boxscore/read',
    'several game_id in boxscore/readBoxscore',
  ],
  async answer(request, service) {
    const several = Object.entries(read(request).values).find(
      ([, values]) => values.length > 1 || values[0]?.includes(','),
    )
    return several ? refused(`Argument ${several[0]} takes one value.`) : service(request)
  },
  calls: singly,
}
