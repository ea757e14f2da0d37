import type { Fills } from '../account/fill.ts'
import { answerFill, leagueAnswerFill } from './answers.ts'
import { boxscoreFill } from './boxscore-slots.ts'
import { conferenceFill } from './conferences.ts'
import { begunFill, latestSeasonFill } from './current-season.ts'
import { leaderboardFill } from './leaderboards.ts'
import { oddsFill } from './lines.ts'
import { leaguePartFill } from './organizations.ts'
import { playerBoxscoreFill } from './player-boxscores.ts'
import { projectionFill } from './projections.ts'
import { ratingFill } from './ratings.ts'
import { scheduleFill } from './schedule-slots.ts'
import { searchFill } from './searches.ts'
import { transferFill } from './transfers.ts'

/**
 * What the answers of each operation fill beside the columns of their rows; null for nothing. A stored answer fills the
 * same, so this may depend on the answer and on stored rows alone.
 */
export const fills: Fills = {
  search: searchFill,
  readOrganizations: leaguePartFill('organization'),
  readDivisions: leaguePartFill('division'),
  getGames: scheduleFill,
  getScores: scheduleFill,
  readGames: scheduleFill,
  getGame: null,
  getTeamStats: answerFill('team'),
  getPlayers: answerFill('team'),
  readTeams: null,
  getTeam: null,
  getGameLogs: answerFill('player'),
  getSeasons: answerFill('player'),
  readPlayers: null,
  getPlayer: null,
  readCoaches: null,
  getCoach: null,
  readConferences: null,
  getConference: null,
  readLeagueConferences: conferenceFill,
  getBoxscore: boxscoreFill,
  readBoxscore: boxscoreFill,
  readBoxscores: null,
  getBoxscoreById: null,
  getPlayerBoxscore: null,
  readPlayerBoxscores: playerBoxscoreFill,
  readElo: ratingFill,
  getElo: ratingFill,
  getAnyElo: begunFill,
  readOdds: oddsFill,
  getOdds: null,
  getConferencePrediction: projectionFill,
  readTransfers: transferFill,
  getTransfer: null,
  downloadTeams: leaderboardFill,
  downloadPlayers: leaderboardFill,
  downloadTransfers: leaderboardFill,
  downloadCoaches: leaderboardFill,
  downloadConferences: leaderboardFill,
  statistic_ranking: answerFill('team'),
  player_statistic_ranking: answerFill('player'),
  coach_statistic_ranking: answerFill('coach'),
  conference_statistic_ranking: answerFill('conference'),
  league_statistic_ranking: leagueAnswerFill,
  getLatestAverages: latestSeasonFill,
  conference_player_statistic_ranking: answerFill('conference'),
  league_player_statistic_ranking: leagueAnswerFill,
}
