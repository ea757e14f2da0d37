import { defineTable } from '../graph/table.ts'

defineTable('player_team_season', 'PlayerTeamSeason', {
  description:
    'A season of a player with one team: a player who has changed teams has several. What is selected below it is of that season.',
})
