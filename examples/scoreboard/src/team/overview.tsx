import { GameStateFragmentDoc, readFragment, ScheduledGameFragmentDoc } from 'statline-client'
import type { useTeamSeason } from 'statline-client/react'
import { useFollowed } from '../game/followed.ts'
import { phaseOf } from '../game/scoreline.tsx'
import type { GamePhase } from '../game/scoreline.tsx'
import { Connection } from '../parts/connection.tsx'
import { ordinal } from '../parts/numbers.ts'
import { statistic, valueOf } from '../parts/statistics.ts'
import { Part } from '../parts/states.tsx'
import { today } from '../routing/days.ts'
import { href } from '../routing/href.ts'
import { teamAverages } from './averages.ts'
import { GameList } from './game-list.tsx'
import { LineRecords } from './line-records.tsx'
import type { TeamPage } from './team.tsx'

interface OverviewProps {
  readonly id: string
  readonly season: number
  readonly team: TeamPage
  readonly shown: ReturnType<typeof useTeamSeason>
}

/** What a team is best and worst at, by its ranks: at most `count` of each. */
function extremesOf(team: TeamPage, count: number) {
  const ranked = teamAverages(team.stats)
    .filter(({ name }) => !statistic(name).isNeither)
    .flatMap((average) => (average.rank == null ? [] : [{ ...average, rank: average.rank }]))
    .toSorted((a, b) => a.rank - b.rank)
  const best = ranked.slice(0, count)
  return { best, worst: ranked.slice(Math.max(count, ranked.length - count)).toReversed() }
}

function Extremes({
  title,
  list,
  season,
}: {
  title: string
  list: ReturnType<typeof extremesOf>['best']
  season: number
}) {
  return (
    <>
      <h3>{title}</h3>
      <ul className="ranked">
        {list.map(({ name, value, rank }) => (
          <li key={name}>
            <a href={href.leaders('teams', season, name)}>{statistic(name, 'teams').label}</a>
            <span>{valueOf(name, value)}</span>
            <strong>{ordinal(rank)}</strong>
          </li>
        ))}
      </ul>
    </>
  )
}

type Listed = ReturnType<typeof gamesOf>[number]

const gamesOf = (team: TeamPage) =>
  (team.aroundNow ?? []).map((game) => readFragment(ScheduledGameFragmentDoc, game))

/** The game that may be under way: it is followed. */
const ofToday = (games: readonly Listed[]) =>
  games.find((game) => phaseOf(game) === 'live') ??
  games.find((game) => phaseOf(game) !== 'over' && stateIn(game).startDate?.startsWith(today()))

const stateIn = (game: Listed) => readFragment(GameStateFragmentDoc, game)

/** The team’s games around now, the one of today in its newest state. */
function useGames(team: TeamPage) {
  const games = gamesOf(team)
  const followed = ofToday(games)
  const id = followed && stateIn(followed).gameId
  const { now, connection } = useFollowed(id, followed)
  const newest = games.map((game) => (now && stateIn(game).gameId === id ? { ...game, ...now } : game))
  const inPhase = (phase: GamePhase) => newest.filter((game) => phaseOf(game) === phase)
  return {
    live: inPhase('live'),
    past: inPhase('over').toReversed(),
    next: inPhase('before'),
    connection,
  }
}

/** The last and next games, results against the line, and what the team is best and worst at. */
export function Overview({ id, season, team, shown }: OverviewProps) {
  const { live, past, next, connection } = useGames(team)
  const { best, worst } = extremesOf(team, 4)
  return (
    <div className="panel-columns">
      <section className="panel">
        <Connection {...connection} />
        {live.length > 0 && (
          <>
            <h2>Under way</h2>
            <GameList games={live} teamId={id} />
          </>
        )}
        <h2 className={live.length > 0 ? 'below' : undefined}>Last games</h2>
        <Part of={shown} value={past} field="aroundNow" what="games" empty="No games yet in this season.">
          {(list) => <GameList games={list} teamId={id} />}
        </Part>
        {next.length > 0 && (
          <>
            <h2 className="below">Next games</h2>
            <GameList games={next} teamId={id} />
          </>
        )}
        <p>
          <a href={href.team(id, season, 'schedule')}>All games</a>
        </p>
      </section>
      <section className="panel">
        <h2>Against the line</h2>
        <Part
          of={shown}
          value={team.lineRecord}
          field="lineRecord"
          what="results against the line"
          empty="No lines in this season."
        >
          {(records) => <LineRecords records={records} />}
        </Part>
      </section>
      {best.length > 0 && (
        <section className="panel">
          <h2>Where it ranks</h2>
          <Extremes title="Best at" list={best} season={season} />
          {worst.length > 0 && <Extremes title="Worst at" list={worst} season={season} />}
          <p>
            <a href={href.team(id, season, 'statistics')}>All statistics and ratings</a>
          </p>
        </section>
      )}
    </div>
  )
}
