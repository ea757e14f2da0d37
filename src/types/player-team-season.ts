import { leagueParts } from '../graph/id-scope.ts'
import { defineTable } from '../graph/table.ts'

defineTable('player_team_season', 'PlayerTeamSeason', {
  description:
    'A season of a player with one team: a player who has changed teams has several such rows. Fields below it show that season.',
  scoped: leagueParts,
})
