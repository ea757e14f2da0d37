'use client';

import { queryHook, subscriptionHook } from '../urql-hook.ts';
import * as documents from './graphql.ts';

/** Two players side by side: their teams and their ranked statistics of a season. Four calls. */
export const useComparePlayers = /*#__PURE__*/ queryHook(documents.ComparePlayersDocument);
/** Two teams side by side: records, ranked statistics and ratings. Four calls. */
export const useCompareTeams = /*#__PURE__*/ queryHook(documents.CompareTeamsDocument);
/** A conference's table as it stands, beside its projection: conference records and games behind. One call for each team. */
export const useConferenceRecords = /*#__PURE__*/ queryHook(documents.ConferenceRecordsDocument);
/** The conferences of a league, by name. One small call a day. */
export const useConferences = /*#__PURE__*/ queryHook(documents.ConferencesDocument);
/** The season under way of a league. At most two tiny calls a day. */
export const useCurrentSeason = /*#__PURE__*/ queryHook(documents.CurrentSeasonDocument);
/** The records of a day's teams: on that day, or now without `on`. One call for each team. */
export const useDayRecords = /*#__PURE__*/ queryHook(documents.DayRecordsDocument);
/** Both teams' boxscores of a game, and the players of one side. Two calls. */
export const useGameBoxscore = /*#__PURE__*/ queryHook(documents.GameBoxscoreDocument);
/** How many games seven days have, and how they stand. One call for each day that is not known; its scores are then known too. */
export const useGameCounts = /*#__PURE__*/ queryHook(documents.GameCountsDocument);
/** How both teams had played until a day, such as the one before the game: their last games, their meetings, and their rest before it. Each team's season, two calls a team. */
export const useGameForm = /*#__PURE__*/ queryHook(documents.GameFormDocument);
/** A game's score, clock and status alone: one small call, to follow a single game. */
export const useGameNow = /*#__PURE__*/ queryHook(documents.GameNowDocument);
/** A game's summary: score, both teams' records and ranked statistics as of the game, every movement of the line, and the prediction. Its matchup and odds cost nothing more. With `isHead`, only the game and its teams. */
export const useGameSummary = /*#__PURE__*/ queryHook(documents.GameSummaryDocument);
/** A division's leaders by any statistic. One download of the whole division, for any page of the list. */
export const useLeaderboard = /*#__PURE__*/ queryHook(documents.LeaderboardDocument);
/** A division's leaders by a statistic, with several others beside it. One download of the whole division, for any page of the list and any statistic. */
export const useLeaders = /*#__PURE__*/ queryHook(documents.LeadersDocument);
/** The averages of all teams of a division in a season. One small call. */
export const useLeagueAverages = /*#__PURE__*/ queryHook(documents.LeagueAveragesDocument);
/** All organizations and all divisions, to choose a league. Two small calls. */
export const useLeagues = /*#__PURE__*/ queryHook(documents.LeaguesDocument);
/** A day's games, and each again when its score, clock, status or line changes. Free beside a scoreboard of the same day. */
export const useLiveScores = /*#__PURE__*/ subscriptionHook(documents.LiveScoresDocument);
/** A game with its line, its prediction and both boxscores. */
export const useMatchup = /*#__PURE__*/ queryHook(documents.MatchupDocument);
/** Every movement of a game's line, oldest first. One call. */
export const useOddsMovement = /*#__PURE__*/ queryHook(documents.OddsMovementDocument);
/** A player: the seasons played, the statistics of one of them with ranks, and its game log. */
export const usePlayer = /*#__PURE__*/ queryHook(documents.PlayerDocument);
/** A player's career: one row over all seasons. One call. */
export const usePlayerCareer = /*#__PURE__*/ queryHook(documents.PlayerCareerDocument);
/** A player's statistics of one season, with ranks. One call. */
export const usePlayerSeason = /*#__PURE__*/ queryHook(documents.PlayerSeasonDocument);
/** The teams of players whose ids are known, for the results of a search. One call for each player, one for all teams. */
export const usePlayersTeams = /*#__PURE__*/ queryHook(documents.PlayersTeamsDocument);
/** All teams of a season with their current ratings. Two calls: the ratings, and the teams' names. */
export const usePowerRatings = /*#__PURE__*/ queryHook(documents.PowerRatingsDocument);
/** A day's games with teams, scores, lines and predictions. Two calls side by side, and one for the conferences' names. */
export const useScoreboard = /*#__PURE__*/ queryHook(documents.ScoreboardDocument);
/** Teams, players and coaches by name, or only some of these groups, at most six of each. One call. */
export const useSearch = /*#__PURE__*/ queryHook(documents.SearchDocument);
/** The seasons of which there are games, newest first. One tiny call for each season and a few more, once a day. */
export const useSeasons = /*#__PURE__*/ queryHook(documents.SeasonsDocument);
/** A conference's projected table, best first, with each team's record and streak as they are. One call. What is projected are */
export const useStandings = /*#__PURE__*/ queryHook(documents.StandingsDocument);
/** A team's season: statistics with ranks, roster, ratings and games. */
export const useTeam = /*#__PURE__*/ queryHook(documents.TeamDocument);
/** A team's conference: free after a day's games on which it played, else the list of such a day. */
export const useTeamConference = /*#__PURE__*/ queryHook(documents.TeamConferenceDocument);
/** A team's rating after each game, with the opponents, and the strength of its schedule. */
export const useTeamRatings = /*#__PURE__*/ queryHook(documents.TeamRatingsDocument);
/** A team's players in a season. One call. */
export const useTeamRoster = /*#__PURE__*/ queryHook(documents.TeamRosterDocument);
/** The statistics of a team's players in a season: one call for each player. */
export const useTeamRosterStatistics = /*#__PURE__*/ queryHook(documents.TeamRosterStatisticsDocument);
/** A team's games of a season, each with its line and its result against it. After TeamSeason it costs the opponents' names alone. */
export const useTeamSchedule = /*#__PURE__*/ queryHook(documents.TeamScheduleDocument);
/** A team's season at a glance: record, ranked statistics, results against the line, form, its last and next games. */
export const useTeamSeason = /*#__PURE__*/ queryHook(documents.TeamSeasonDocument);
/** The games of seven days in a row, as a scoreboard shows them. Two calls for each day with games, one token for a day without. */
export const useWeek = /*#__PURE__*/ queryHook(documents.WeekDocument);
