import { defineTable } from '../graph/table.ts'

defineTable('player_team_season', 'PlayerTeamSeason', {
  description: 'A season that a player spent with a team.',
})
