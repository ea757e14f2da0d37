import {
  readFragment,
  RosterPlayerFragmentDoc,
  TeamAveragesFragmentDoc,
  TeamRecordFragmentDoc,
} from 'statline-client'
import { useTeam } from 'statline-client/react'
import type { FragmentType, TeamQuery } from 'statline-client'
import { LineChart } from '../parts/chart.tsx'
import { useTeamColor } from '../parts/color.ts'
import { dayOf, decimal, nameOf, ordinal, whole, wordsOf } from '../parts/numbers.ts'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'
import { season as lastSeason } from '../routing/season.ts'
import { Schedule } from './schedule.tsx'
import { SeasonPicker } from '../parts/season-picker.tsx'
import { Part, useTitle } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { readTeam, TeamMark } from '../parts/team-name.tsx'

type TeamPage = NonNullable<NonNullable<TeamQuery['league']>['team']>

export function recordOf(record: FragmentType<typeof TeamRecordFragmentDoc>): string {
  const { wins, losses, confwins, conflosses } = readFragment(TeamRecordFragmentDoc, record)
  return `${whole(wins?.value)}–${whole(losses?.value)} (${whole(confwins?.value)}–${whole(conflosses?.value)} in conference)`
}

function Averages({ stats, season }: { stats: NonNullable<TeamPage['stats']>; season: number }) {
  const { averages } = readFragment(TeamAveragesFragmentDoc, stats)
  return (
    <Table
      caption="Averages a game, and where they rank"
      columns={['Statistic', 'Value', 'Rank']}
      rows={averages
        .filter(({ value }) => value !== null)
        .map(({ name, value, rank }) => ({
          key: name,
          cells: [
            <a key="name" href={href.leaders('teams', season, name)}>
              {wordsOf(name)}
            </a>,
            decimal(value),
            rank == null ? '–' : ordinal(rank),
          ],
        }))}
    />
  )
}

function Roster({ roster, season }: { roster: NonNullable<TeamPage['roster']>; season: number }) {
  const players = readFragment(RosterPlayerFragmentDoc, roster)
  return (
    <Table
      caption="Roster"
      columns={['Player', 'No.', 'Pos', 'Height', 'Weight', 'Home town']}
      rows={players
        .toSorted((a, b) => Number(a.number ?? 999) - Number(b.number ?? 999))
        .map((player) => ({
          key: player.playerId,
          cells: [
            <a key="name" href={href.player(player.playerId, season)}>
              {nameOf(player)}
            </a>,
            player.number ?? '–',
            player.position ?? '–',
            player.height ?? '–',
            whole(player.weight),
            player.hometown ?? '–',
          ],
        }))}
    />
  )
}

function Ratings({ history, color }: { history: NonNullable<TeamPage['eloHistory']>; color: string }) {
  const points = history.flatMap(({ dateOfEntry, elo }) =>
    dateOfEntry && elo != null
      ? [{ at: Date.parse(dateOfEntry), value: elo, label: dayOf(dateOfEntry) }]
      : [],
  )
  return <LineChart title="Elo rating after each game" points={points} color={color} format={String} />
}

/** A team’s season: record, ratings, statistics with ranks, games and roster. */
export function Team({ id, season }: { id: string; season: number }) {
  lastSeason.last = season
  const shown = useTeam({ teamId: id, season, ...league() })
  const team = shown.data?.league?.team
  useTitle(readTeam(team)?.name ?? 'Team')
  return (
    <Part of={shown} value={team} field="team" what="the team" empty="There is no such team.">
      {(found) => <Found team={found} season={season} shown={shown} />}
    </Part>
  )
}

function Found({
  team,
  season,
  shown,
}: {
  team: TeamPage
  season: number
  shown: ReturnType<typeof useTeam>
}) {
  const known = readTeam(team)
  const color = useTeamColor(known)
  const id = known?.teamId ?? ''
  return (
    <>
      <h1 className="colored" style={{ borderColor: color }}>
        <TeamMark team={team} /> {known?.name}
      </h1>
      <p className="under">
        {team.stats && recordOf(team.stats)}
        {team.conference && (
          <>
            {' · '}
            <a href={href.conference(team.conference.conferenceId, season)}>{team.conference.name}</a>
          </>
        )}
      </p>
      <SeasonPicker season={season} hrefOf={(year) => href.team(id, year)} />
      <section>
        <h2>Rating</h2>
        <Part
          of={shown}
          value={team.eloHistory}
          field="eloHistory"
          what="ratings"
          empty="No ratings in this season."
        >
          {(history) => <Ratings history={history} color={color} />}
        </Part>
      </section>
      <section className="halves">
        <div>
          <h2>Statistics</h2>
          <Part
            of={shown}
            value={team.stats}
            field="stats"
            what="statistics"
            empty="No statistics in this season."
          >
            {(stats) => <Averages stats={stats} season={season} />}
          </Part>
        </div>
        <div>
          <h2>Games</h2>
          <Part of={shown} value={team.games} field="games" what="games" empty="No games in this season.">
            {(games) => <Schedule games={games} teamId={id} />}
          </Part>
        </div>
      </section>
      <section>
        <h2>Roster</h2>
        <Part
          of={shown}
          value={team.roster}
          field="roster"
          what="the roster"
          empty="No roster for this season."
        >
          {(roster) => <Roster roster={roster} season={season} />}
        </Part>
      </section>
    </>
  )
}
