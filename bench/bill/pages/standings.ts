import { rowsIn } from '../../json.ts'
import type { Json } from '../../json.ts'
import { among, currentElo, currentStats, download, projection, read } from '../calls.ts'
import type { Page } from '../recipe.ts'

const best = (rows: Json, statistic: string, most: number): Json[] =>
  rowsIn(rows)
    .filter((row) => typeof row[`${statistic}_rank`] === 'number')
    .toSorted((a, b) => Number(a[`${statistic}_rank`]) - Number(b[`${statistic}_rank`]))
    .slice(0, most)

/** Tables of a conference and of a whole division. */
export const standings: readonly Page[] = [
  {
    name: 'standings: the projected table',
    query: ({ conference, season }) =>
      conference &&
      `{ conference(id: "${conference}") { name projection(season: ${season}) { hasAccess standings { wins { value } losses { value } confwins { value } team { teamId name primaryColor } } } } }`,
    cheapest: [
      async (ask, about) => {
        const [, table = {}] = await ask(read('conference', about.conference ?? ''), projection(about))
        await ask(read('team', among(table, 'team_id')))
      },
    ],
  },
  {
    name: 'conference: name and averages',
    query: ({ conference, season }) =>
      conference &&
      `{ conference(id: "${conference}") { name stats(season: ${season}) { stat(name: "points") { value rank } } playerAverages(season: ${season}) { stat(name: "points_per_game") { value } } } }`,
    cheapest: [
      (ask, about) =>
        ask(
          read('conference', about.conference ?? ''),
          currentStats(about, 'conference_statistic_ranking', { conference_id: about.conference ?? '' }),
          currentStats(about, 'conference_player_statistic_ranking', {
            conference_id: about.conference ?? '',
          }),
        ),
    ],
  },
  {
    name: 'baselines: the division’s averages',
    query: ({ season }) =>
      `{ league { averages(season: ${season}) { stat(name: "points") { value } } playerAverages(season: ${season}) { stat(name: "points_per_game") { value } } } }`,
    cheapest: [
      (ask, about) =>
        ask(
          currentStats(about, 'league_statistic_ranking'),
          currentStats(about, 'league_player_statistic_ranking'),
        ),
    ],
  },
  {
    name: 'leaderboard: the best 25 teams',
    query: ({ season }) =>
      `{ league { ranking(subject: TEAM, season: ${season}, orderBy: "points", first: 25) { totalCount edges { node { stat(name: "points") { value rank } ... on TeamStatRanking { team { teamId name primaryColor } } } } } } }`,
    cheapest: [
      async (ask, about) => {
        const [rows] = await ask(download(about, 'team'))
        await ask(read('team', among({ ...best(rows, 'points', 25) }, 'team_id')))
      },
    ],
  },
  {
    name: 'leaderboard: the best 10 players',
    query: ({ season, playerStatistic }) =>
      playerStatistic &&
      `{ league { ranking(subject: PLAYER, season: ${season}, orderBy: "${playerStatistic}", first: 10) { edges { node { stat(name: "${playerStatistic}") { value rank } ... on PlayerStatRanking { player { playerId firstName lastName } } } } } } }`,
    cheapest: [
      async (ask, about) => {
        // docs/billing.md: a statistic of one sport alone is checked with the league's organization, before the download.
        if (about.playerStatistic !== 'points_per_game')
          await ask(read('organization', about.organization_id))
        const [rows] = await ask(download(about, 'player'))
        const players = among({ ...best(rows, about.playerStatistic ?? '', 10) }, 'player_id')
        if (players.length > 0) await ask(read('player', players))
      },
    ],
  },
  {
    name: 'Elo table of the division',
    query: ({ season }) => `{ league { elo(season: ${season}) { elo team { teamId name primaryColor } } } }`,
    cheapest: [
      async (ask, about) => {
        const [ratings] = await ask(currentElo(about))
        await ask(read('team', among(ratings, 'team_id')))
      },
    ],
  },
  {
    name: 'transfers of the season',
    query: ({ season, hasTransfers }) =>
      hasTransfers
        ? `{ league { transfers(season: ${season}) { committed player { firstName lastName } committedTeam { name } } } }`
        : null,
    cheapest: [
      async (ask, { season }) => {
        const [moves] = await ask(['cbb_transfer_player_season/read', { season }])
        await ask(read('player', among(moves, 'player_id')), read('team', among(moves, 'committed_team_id')))
      },
    ],
  },
  {
    name: 'coach: name and record',
    query: ({ coach, season }) =>
      coach &&
      `{ coach(id: "${coach}") { firstName lastName stats(season: ${season}) { stat(name: "wins") { value } } } }`,
    cheapest: [
      (ask, about) =>
        ask(
          read('coach', about.coach ?? ''),
          currentStats(about, 'coach_statistic_ranking', { coach_id: about.coach ?? '' }),
        ),
    ],
  },
]
