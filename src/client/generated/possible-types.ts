export const possibleTypes = {
  "Node": [
    "BasketballPlayerBoxscore",
    "BasketballTeamBoxscore",
    "Coach",
    "Conference",
    "Division",
    "Elo",
    "FootballTeamBoxscore",
    "Game",
    "Odds",
    "Organization",
    "OtherPlayerBoxscore",
    "OtherTeamBoxscore",
    "Player",
    "Team",
    "Transfer"
  ],
  "PlayerBoxscore": [
    "BasketballPlayerBoxscore",
    "OtherPlayerBoxscore"
  ],
  "StatRanking": [
    "CoachStatRanking",
    "ConferencePlayerStatRanking",
    "ConferenceStatRanking",
    "LeaguePlayerStatRanking",
    "LeagueStatRanking",
    "PlayerStatRanking",
    "TeamStatRanking"
  ],
  "TeamBoxscore": [
    "BasketballTeamBoxscore",
    "FootballTeamBoxscore",
    "OtherTeamBoxscore"
  ]
};
