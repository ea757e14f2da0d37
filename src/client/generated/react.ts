'use client';

import { queryHook, subscriptionHook } from '../react-hook.ts';
import * as documents from './graphql.ts';

/** A conference's table as it stands, beside its projection: conference records and games behind. One call for each team. */
export const useConferenceRecords = /*#__PURE__*/ queryHook(documents.ConferenceRecordsDocument);
/** The conferences of a league, by name. One small call a day. */
export const useConferences = /*#__PURE__*/ queryHook(documents.ConferencesDocument);
/** The records of a day's teams: on that day, or now without `on`. One call for each team. */
export const useDayRecords = /*#__PURE__*/ queryHook(documents.DayRecordsDocument);
/** How many games seven days have, and how they stand. One call for each day that is not known; its scores are then known too. */
export const useGameCounts = /*#__PURE__*/ queryHook(documents.GameCountsDocument);
/** A division's leaders by any statistic. One download of the whole division, for any page of the list. */
export const useLeaderboard = /*#__PURE__*/ queryHook(documents.LeaderboardDocument);
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
/** The games of seven days in a row, as a scoreboard shows them. Two calls for each day with games, one token for a day without. */
export const useWeek = /*#__PURE__*/ queryHook(documents.WeekDocument);
