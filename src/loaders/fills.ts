import type { Fills } from '../account/fill.ts'
import { answerFill, leagueAnswerFill } from './answers.ts'
import { boxscoreFill, boxscoresBrought } from './boxscore-slots.ts'
import { conferenceFill } from './conferences.ts'
import { begunFill, latestSeasonFill } from './current-season.ts'
import { leaderboardFill } from './leaderboards.ts'
import { linesBrought, oddsBrought, oddsFill } from './lines.ts'
import { leaguePartFill } from './organizations.ts'
import { playerBoxscoreFill, playersBrought } from './player-boxscores.ts'
import { projectionFill } from './projections.ts'
import { ratingFill, ratingsBrought } from './ratings.ts'
import { scheduleFill } from './schedule-slots.ts'
import { searchFill } from './searches.ts'
import { transferFill, transfersBrought } from './transfers.ts'

/**
 * What the answers of each operation fill beside the columns of their rows; null for nothing. A stored answer fills the
 * same, so this may depend on the answer and on stored rows alone.
 */
export const fills: Fills = {
  search: { fill: searchFill },
  readOrganizations: { fill: leaguePartFill('organization') },
  readDivisions: { fill: leaguePartFill('division') },
  getGames: { fill: scheduleFill },
  getScores: { fill: scheduleFill, brings: linesBrought },
  readGames: { fill: scheduleFill },
  getGame: null,
  getTeamStats: { fill: answerFill('team') },
  getPlayers: { fill: answerFill('team') },
  readTeams: null,
  getTeam: null,
  getGameLogs: { fill: answerFill('player') },
  getSeasons: { fill: answerFill('player') },
  readPlayers: null,
  getPlayer: null,
  readCoaches: null,
  getCoach: null,
  readConferences: null,
  getConference: null,
  readLeagueConferences: { fill: conferenceFill },
  getBoxscore: { fill: boxscoreFill },
  readBoxscore: { fill: boxscoreFill, brings: boxscoresBrought },
  readBoxscores: null,
  getBoxscoreById: null,
  getPlayerBoxscore: null,
  readPlayerBoxscores: { fill: playerBoxscoreFill, brings: playersBrought },
  readElo: { fill: ratingFill, brings: ratingsBrought },
  getElo: { fill: ratingFill },
  getAnyElo: { fill: begunFill },
  readOdds: { fill: oddsFill, brings: oddsBrought },
  getOdds: null,
  getConferencePrediction: { fill: projectionFill },
  readTransfers: { fill: transferFill, brings: transfersBrought },
  getTransfer: null,
  downloadTeams: { fill: leaderboardFill },
  downloadPlayers: { fill: leaderboardFill },
  downloadTransfers: { fill: leaderboardFill },
  downloadCoaches: { fill: leaderboardFill },
  downloadConferences: { fill: leaderboardFill },
  statistic_ranking: { fill: answerFill('team') },
  player_statistic_ranking: { fill: answerFill('player') },
  coach_statistic_ranking: { fill: answerFill('coach') },
  conference_statistic_ranking: { fill: answerFill('conference') },
  league_statistic_ranking: { fill: leagueAnswerFill },
  getLatestAverages: { fill: latestSeasonFill },
  conference_player_statistic_ranking: { fill: answerFill('conference') },
  league_player_statistic_ranking: { fill: leagueAnswerFill },
}
