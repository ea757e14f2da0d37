import { PlayerAveragesFragmentDoc, readFragment } from 'statline-client'
import { usePlayer } from 'statline-client/react'
import type { PlayerQuery } from 'statline-client'
import { decimal, nameOf, ordinal, whole, wordsOf } from '../parts/numbers.ts'
import { playerLines } from './player-line.ts'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'
import { season as lastSeason } from '../routing/season.ts'
import { byStart, seenBy } from '../team/schedule.tsx'
import { Part, useTitle } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { TeamLink } from '../parts/team-name.tsx'

type PlayerPage = NonNullable<NonNullable<PlayerQuery['league']>['player']>
type Stats = NonNullable<PlayerPage['stats']>

/** The sport's statistics that the player has. */
function Averages({ stats }: { stats: Stats }) {
  const { averages } = readFragment(PlayerAveragesFragmentDoc, stats)
  return (
    <dl className="facts">
      {averages
        .filter(({ value }) => value)
        .map(({ name, value, rank }) => (
          <div key={name}>
            <dt>{wordsOf(name)}</dt>
            <dd>
              {decimal(value)}
              {rank != null && <small> {ordinal(rank)}</small>}
            </dd>
          </div>
        ))}
    </dl>
  )
}

type Played = NonNullable<PlayerPage['gameLog']>[number]

const byGame = (a: Played, b: Played) => (a.game && b.game ? byStart(a.game, b.game) : 0)

function GameLog({ log }: { log: NonNullable<PlayerPage['gameLog']> }) {
  const { columns, cells } = playerLines(log)
  return (
    <Table
      caption="Game log"
      words={3}
      columns={['Day', 'Opponent', 'Result', ...columns]}
      rows={log.toSorted(byGame).map((box) => {
        const seen = box.game && seenBy(box.game, box.teamId ?? '')
        return {
          key: box.playerBoxscoreId,
          cells: [
            seen?.day ?? '–',
            seen ? (
              <span key="opponent" className="opponent">
                {seen.where} <TeamLink team={seen.opponent} />
              </span>
            ) : (
              '–'
            ),
            seen?.result ?? '–',
            ...cells(box),
          ],
        }
      })}
    />
  )
}

function Seasons({ player, season }: { player: PlayerPage; season: number }) {
  return (
    <ul className="links">
      {player.seasons?.map((one) => (
        <li key={one.playerTeamSeasonId}>
          <a
            href={href.player(player.playerId, one.season ?? season)}
            aria-current={one.season === season ? 'page' : undefined}
          >
            {one.season}
          </a>{' '}
          <TeamLink team={one.team} season={one.season} />
        </li>
      ))}
    </ul>
  )
}

/** A player’s season: averages with ranks, and every game. */
export function Player({ id, season }: { id: string; season: number }) {
  lastSeason.last = season
  const shown = usePlayer({ playerId: id, season, ...league() })
  const player = shown.data?.league?.player
  useTitle(player ? nameOf(player) : 'Player')
  return (
    <Part of={shown} value={player} field="player" what="the player" empty="There is no such player.">
      {(found) => (
        <>
          <h1>{nameOf(found)}</h1>
          <p className="under">
            {[
              found.number && `No. ${found.number}`,
              found.position,
              found.height,
              found.weight && `${whole(found.weight)} lb`,
              found.hometown,
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
          <Part of={shown} value={found.seasons} field="seasons" what="seasons" empty="No seasons known.">
            {() => <Seasons player={found} season={season} />}
          </Part>
          <section>
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
          </section>
          <section>
            <h2>Game log</h2>
            <Part
              of={shown}
              value={found.gameLog}
              field="gameLog"
              what="the game log"
              empty="No games in this season."
            >
              {(log) => <GameLog log={log} />}
            </Part>
          </section>
        </>
      )}
    </Part>
  )
}
