import type { PlayerQuery } from 'statline-client'
import { usePlayer } from 'statline-client/react'
import { nameOf, ordinal, whole } from '../parts/numbers.ts'
import { statistic, valueOf } from '../parts/statistics.ts'
import { Part, useTitle } from '../parts/states.tsx'
import { nameOfTeam, readTeam, TeamMark } from '../parts/team-name.tsx'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'
import { season as lastSeason } from '../routing/season.ts'
import { NothingHere } from '../shell/nothing-here.tsx'
import { namesOf, playerAverages } from '../team/averages.ts'
import { Career } from './career.tsx'
import { GameLog } from './game-log.tsx'
import { SmallCharts } from './small-charts.tsx'
import '../parts/panel.css'
import '../team/team.css'
import '../parts/facts.css'
import './player.css'

export type PlayerPage = NonNullable<NonNullable<PlayerQuery['league']>['player']>

/** The sport's statistics that the player has, with their ranks. */
function Averages({ stats }: { stats: NonNullable<PlayerPage['stats']> }) {
  const averages = playerAverages(stats)
  const names = new Set(namesOf(averages))
  const shown = averages.filter(({ name }) => names.has(name))
  return (
    <dl className="facts tiles">
      {shown.map(({ name, value, rank }) => (
        <div key={name}>
          <dt>{statistic(name).label}</dt>
          <dd>
            {valueOf(name, value)}
            {rank != null && <small> {ordinal(rank)}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** `No. 12 · G · 6-4 · 195 lb · Halvern` */
function aboutOf({ number, position, height, weight, hometown }: PlayerPage): string {
  return [number && `No. ${number}`, position, height, weight && `${whole(weight)} lb`, hometown]
    .filter(Boolean)
    .join(' · ')
}

function Head({ player, season }: { player: PlayerPage; season: number }) {
  const played = player.seasons?.find((one) => one.season === season) ?? player.seasons?.at(-1)
  return (
    <header className="team-head">
      {played?.team && <TeamMark team={played.team} />}
      <div>
        <h1>{nameOf(player)}</h1>
        <p className="under">
          {aboutOf(player)}
          {played?.team && (
            <a href={href.team(readTeam(played.team)?.teamId ?? '', played.season)}>
              {nameOfTeam(played.team)}
            </a>
          )}
        </p>
      </div>
    </header>
  )
}

function Seasons({ player, season }: { player: PlayerPage; season: number }) {
  return (
    <nav className="player-seasons" aria-label="Season">
      <ul className="links">
        {player.seasons?.map((one) => (
          <li key={one.playerTeamSeasonId}>
            <a
              href={href.player(player.playerId, one.season)}
              aria-current={one.season === season ? 'page' : undefined}
            >
              {one.season}, {nameOfTeam(one.team)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** A player’s season: averages with ranks, every game newest first, and the career so far. */
export function Player({ id, season: asked }: { id: string; season: number | undefined }) {
  const shown = usePlayer({ playerId: id, season: asked ?? null, ...league() })
  const player = shown.data?.league?.player
  const season = asked ?? player?.stats?.season ?? lastSeason.last
  useTitle(player ? nameOf(player) : 'Player')
  return (
    <Part
      of={shown}
      value={player}
      field="player"
      what="the player"
      empty={<NothingHere why="There is no such player." />}
      title="Player"
      told={['seasons', 'stats', 'gameLog']}
    >
      {(found) => (
        <>
          <Head player={found} season={season} />
          <Part of={shown} value={found.seasons} field="seasons" what="seasons" empty="No seasons known.">
            {() => <Seasons player={found} season={season} />}
          </Part>
          <h2>Season {season}</h2>
          <Part
            of={shown}
            value={found.stats}
            field="stats"
            what="averages"
            empty="No statistics in this season."
          >
            {(stats) => <Averages stats={stats} />}
          </Part>
          <Part
            of={shown}
            value={found.gameLog}
            field="gameLog"
            what="the game log"
            empty="No games in this season."
          >
            {(log) => (
              <>
                <SmallCharts log={log} />
                <GameLog log={log} />
              </>
            )}
          </Part>
          <Career id={id} seasons={found.seasons ?? []} />
          <p>
            <a href={href.compare('players', id)}>Compare with another player</a>
          </p>
        </>
      )}
    </Part>
  )
}
