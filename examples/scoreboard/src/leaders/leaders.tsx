import { useState } from 'react'
import { useLeaderboard } from 'statline-client/react'
import type { LeaderboardQuery } from 'statline-client'
import { decimal, nameOf, ordinal, whole, wordsOf } from '../parts/numbers.ts'
import { href } from '../routing/href.ts'
import { navigate } from '../routing/location.ts'
import { league } from '../routing/route.ts'
import { season as lastSeason } from '../routing/season.ts'
import { SeasonPicker } from '../parts/season-picker.tsx'
import { Part, useTitle } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { TeamLink } from '../parts/team-name.tsx'

const statistics: Record<'TEAM' | 'PLAYER', Record<string, readonly string[]>> = {
  TEAM: {
    Basketball: [
      'points',
      'opponent_points',
      'field_goal_percentage',
      'three_point_field_goal_percentage',
      'total_rebounds',
      'assists',
      'turnovers',
      'adjusted_efficiency_rating',
    ],
    Football: [
      'points',
      'opponent_points',
      'total_yards',
      'opponent_total_yards',
      'passing_yards',
      'rushing_yards',
      'turnover_margin',
    ],
  },
  PLAYER: {
    Basketball: [
      'points_per_game',
      'total_rebounds_per_game',
      'minutes_played_per_game',
      'field_goal_percentage',
      'efficiency_rating',
    ],
    Football: [
      'passing_yards',
      'passing_touchdowns',
      'rushing_yards',
      'receiving_yards',
      'solo_tackles',
      'sacks',
      'interceptions',
    ],
  },
}

const hrefOf = (subject: 'TEAM' | 'PLAYER', season: number, by?: string) =>
  href.leaders(subject === 'TEAM' ? 'teams' : 'players', season, by)

interface Choice {
  readonly subject: 'TEAM' | 'PLAYER'
  readonly season: number
  readonly by: string
}

type Row = NonNullable<NonNullable<LeaderboardQuery['league']>['ranking']>['edges'][number]['node']

function Who({ row, season }: { row: Row; season: number }) {
  if (row?.__typename === 'TeamStatRanking') return <TeamLink team={row.team} season={season} />
  if (row?.__typename !== 'PlayerStatRanking' || !row.player) return '–'
  return <a href={href.player(row.player.playerId, season)}>{nameOf(row.player)}</a>
}

/** The sports that have a statistic, with their other statistics; all sports if none has it. */
function sportsOf(subject: Choice['subject'], by: string) {
  const sports = Object.entries(statistics[subject])
  const counting = sports.filter(([, names]) => names.includes(by))
  return counting.length > 0 ? counting : sports
}

function Choices({ subject, season, by }: Choice) {
  return (
    <form className="days">
      <label>
        Of{' '}
        <select
          value={subject}
          onChange={({ target }) => navigate(hrefOf(target.value === 'TEAM' ? 'TEAM' : 'PLAYER', season))}
        >
          <option value="TEAM">teams</option>
          <option value="PLAYER">players</option>
        </select>
      </label>
      <label>
        By{' '}
        <select value={by} onChange={({ target }) => navigate(hrefOf(subject, season, target.value))}>
          {sportsOf(subject, by).map(([sport, names]) => (
            <optgroup key={sport} label={sport}>
              {names.map((name) => (
                <option key={name} value={name}>
                  {wordsOf(name)}
                </option>
              ))}
            </optgroup>
          ))}
          {!sportsOf(subject, by).some(([, names]) => names.includes(by)) && (
            <option value={by}>{wordsOf(by)}</option>
          )}
        </select>
      </label>
    </form>
  )
}

type Edges = NonNullable<NonNullable<LeaderboardQuery['league']>['ranking']>['edges']

/** Counts as they are, averages to a decimal. */
const figure = (edges: Edges) =>
  edges.every(({ node }) => Number.isInteger(node?.stat?.value ?? 0)) ? whole : decimal

/** The leaders by a statistic; without one, by the first that the league’s rows have. One download. */
function useLeaders({ subject, season, by }: Choice) {
  const [sport, setSport] = useState(0)
  const names = by ? [by] : Object.values(statistics[subject]).flatMap(([first]) => first ?? [])
  const orderBy = names[sport] ?? by
  const shown = useLeaderboard({ subject, season, orderBy, first: 25, ...league() })
  const isOthers = shown.errors.some(({ extensions }) => extensions?.code === 'BAD_USER_INPUT')
  if (isOthers && sport + 1 < names.length) setSport(sport + 1)
  return { shown, by: orderBy, isOthers }
}

/** The best 25 of a division by a statistic. */
export function Leaders({ subject, season, by: asked }: Choice) {
  lastSeason.last = season
  useTitle('Leaders')
  const { shown, by, isOthers } = useLeaders({ subject, season, by: asked })
  const ranking = shown.data?.league?.ranking
  const show = figure(ranking?.edges ?? [])
  return (
    <>
      <h1>Leaders</h1>
      <SeasonPicker season={season} hrefOf={(year) => hrefOf(subject, year, by)} />
      <Choices subject={subject} season={season} by={by} />
      {isOthers ? (
        <p className="empty">This league does not count that.</p>
      ) : (
        <Part
          of={shown}
          value={ranking?.edges}
          field="ranking"
          what="the leaders"
          empty="Nobody is ranked in this season."
        >
          {(edges) => (
            <Table
              caption={`${wordsOf(by)}: the best ${edges.length} of ${ranking?.totalCount}`}
              columns={['Name', 'Rank', wordsOf(by)]}
              rows={edges.map(({ cursor, node }) => ({
                key: cursor,
                cells: [
                  <Who key="who" row={node} season={season} />,
                  node?.stat?.rank == null ? '–' : ordinal(node.stat.rank),
                  show(node?.stat?.value),
                ],
              }))}
            />
          )}
        </Part>
      )}
    </>
  )
}
