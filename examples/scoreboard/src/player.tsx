import { GameStateFragmentDoc, readFragment, usePlayer } from 'statline/client'
import type { PlayerQuery } from 'statline/client'
import { playerCells } from './boxscore.tsx'
import { decimal, nameOf, ordinal, whole } from './numbers.ts'
import { href, season as lastSeason } from './route.ts'
import { seenBy } from './schedule.tsx'
import { Part, useTitle } from './states.tsx'
import { Table } from './table.tsx'
import { TeamLink } from './team-name.tsx'

type PlayerPage = NonNullable<NonNullable<PlayerQuery['league']>['player']>
type Stats = NonNullable<PlayerPage['stats']>

const statistics = [
  ['Points', 'pointsPerGame'],
  ['Rebounds', 'totalReboundsPerGame'],
  ['Minutes', 'minutesPlayedPerGame'],
  ['Field goal %', 'fieldGoalPercentage'],
  ['Efficiency', 'efficiencyRating'],
] as const

function Averages({ stats }: { stats: Stats }) {
  return (
    <dl className="facts">
      {statistics.map(([label, field]) => (
        <div key={field}>
          <dt>{label}</dt>
          <dd>
            {decimal(stats[field]?.value)}
            {stats[field]?.rank != null && <small> {ordinal(stats[field].rank)}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

type Played = NonNullable<PlayerPage['gameLog']>[number]

const startOf = ({ game }: Played) => (game && readFragment(GameStateFragmentDoc, game).startDatetime) ?? ''
const byStart = (a: Played, b: Played) => (startOf(a) < startOf(b) ? -1 : 1)

function GameLog({ log }: { log: NonNullable<PlayerPage['gameLog']> }) {
  return (
    <Table
      caption="Game log"
      words={3}
      columns={[
        'Day',
        'Opponent',
        'Result',
        'Min',
        'Pts',
        'FG',
        '3P',
        'FT',
        'Reb',
        'Ast',
        'Stl',
        'Blk',
        'TO',
        'PF',
      ]}
      rows={log.toSorted(byStart).map((box) => {
        const seen = box.game && seenBy(box.game, box.teamId ?? '')
        return {
          key: box.playerBoxscoreId,
          cells: [
            seen?.day ?? '–',
            seen ? (
              <span key="opponent">
                {seen.where} <TeamLink team={seen.opponent} />
              </span>
            ) : (
              '–'
            ),
            seen?.result ?? '–',
            ...playerCells(box),
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
  const shown = usePlayer({ playerId: id, season })
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
            <h2>Averages of {season}</h2>
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
