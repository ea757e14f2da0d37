import type { Fills } from '../account/fill.ts'
import { answerFilling, leagueAnswerFilling } from './answers.ts'
import { boxscoreFill, boxscoresBrought } from './boxscore-slots.ts'
import { conferenceFill, conferencesBrought } from './conferences.ts'
import { begunBrought, begunFill, latestSeasonBrought, latestSeasonFill } from './current-season.ts'
import { leaderboardBrought, leaderboardFill } from './leaderboards.ts'
import { linesBrought, oddsBrought, oddsFill } from './lines.ts'
import { leaguePartBrought, leaguePartFill } from './organizations.ts'
import { playerBoxscoreFill, playersBrought } from './player-boxscores.ts'
import { projectionBrought, projectionFill } from './projections.ts'
import { ratingFill, ratingsBrought } from './ratings.ts'
import { scheduleFill } from './schedule-slots.ts'
import { matchesBrought, searchFill } from './searches.ts'
import { transferFill, transfersBrought } from './transfers.ts'

/**
 * What the answers of each operation fill beside the columns of their rows; null for nothing. A stored answer fills the
 * same, so this may depend on the answer and on stored rows alone.
 */
export const fills: Fills = {
  search: { fill: searchFill, brings: matchesBrought },
  readOrganizations: { fill: leaguePartFill('organization'), brings: leaguePartBrought('organization') },
  readDivisions: { fill: leaguePartFill('division'), brings: leaguePartBrought('division') },
  getGames: { fill: scheduleFill },
  getScores: { fill: scheduleFill, brings: linesBrought },
  readGames: { fill: scheduleFill },
  getGame: null,
  getTeamStats: answerFilling('team'),
  getPlayers: answerFilling('team'),
  readTeams: null,
  getTeam: null,
  getGameLogs: answerFilling('player'),
  getSeasons: answerFilling('player'),
  readPlayers: null,
  getPlayer: null,
  readCoaches: null,
  getCoach: null,
  readConferences: null,
  getConference: null,
  readLeagueConferences: { fill: conferenceFill, brings: conferencesBrought },
  getBoxscore: { fill: boxscoreFill },
  readBoxscore: { fill: boxscoreFill, brings: boxscoresBrought },
  readBoxscores: null,
  getBoxscoreById: null,
  getPlayerBoxscore: null,
  readPlayerBoxscores: { fill: playerBoxscoreFill, brings: playersBrought },
  readElo: { fill: ratingFill, brings: ratingsBrought },
  getElo: { fill: ratingFill },
  getAnyElo: { fill: begunFill, brings: begunBrought },
  readOdds: { fill: oddsFill, brings: oddsBrought },
  getOdds: null,
  getConferencePrediction: { fill: projectionFill, brings: projectionBrought },
  readTransfers: { fill: transferFill, brings: transfersBrought },
  getTransfer: null,
  downloadTeams: { fill: leaderboardFill, brings: leaderboardBrought },
  downloadPlayers: { fill: leaderboardFill, brings: leaderboardBrought },
  downloadTransfers: { fill: leaderboardFill, brings: leaderboardBrought },
  downloadCoaches: { fill: leaderboardFill, brings: leaderboardBrought },
  downloadConferences: { fill: leaderboardFill, brings: leaderboardBrought },
  statistic_ranking: answerFilling('team'),
  player_statistic_ranking: answerFilling('player'),
  coach_statistic_ranking: answerFilling('coach'),
  conference_statistic_ranking: answerFilling('conference'),
  league_statistic_ranking: leagueAnswerFilling,
  getLatestAverages: { fill: latestSeasonFill, brings: latestSeasonBrought },
  conference_player_statistic_ranking: answerFilling('conference'),
  league_player_statistic_ranking: leagueAnswerFilling,
}
