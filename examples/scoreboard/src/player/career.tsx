import { useState } from 'react'
import type { PlayerQuery } from 'statline-client'
import { usePlayerCareer, usePlayerSeason } from 'statline-client/react'
import { whole } from '../parts/numbers.ts'
import { statistic, valueOf } from '../parts/statistics.ts'
import { Part } from '../parts/states.tsx'
import { TeamLink } from '../parts/team-name.tsx'
import { league } from '../routing/route.ts'
import { namesOf, playerAverages } from '../team/averages.ts'
import '../parts/table.css'

type Seasons = NonNullable<NonNullable<NonNullable<PlayerQuery['league']>['player']>['seasons']>

interface CareerProps {
  readonly id: string
  readonly seasons: Seasons
}

/** The numbers of a season or of the career, below the career's statistics. */
function Numbers({
  averages,
  names,
}: {
  averages: ReturnType<typeof playerAverages>
  names: readonly string[]
}) {
  const values = new Map(averages.map(({ name, value }) => [name, value]))
  return names.map((name) => <td key={name}>{values.has(name) ? valueOf(name, values.get(name)) : ''}</td>)
}

interface SeasonRowProps {
  readonly id: string
  readonly played: Seasons[number]
  readonly names: readonly string[]
}

/** One season of a career: a call for each, free for the season that the page shows anyway. */
function SeasonRow({ id, played, names }: SeasonRowProps) {
  const season = played.season ?? 0
  const shown = usePlayerSeason({ playerId: id, season, ...league() })
  const stats = shown.data?.league?.player?.stats
  const isMissing = !stats && (shown.failure !== null || shown.errors.length > 0)
  return (
    <tr>
      <th scope="row" className="words">
        {season}
      </th>
      <td className="words">
        <TeamLink team={played.team} season={season} />
      </td>
      {isMissing ? (
        <td colSpan={1 + names.length}>
          Could not be loaded.{' '}
          <button type="button" onClick={shown.refetch}>
            Try again
          </button>
        </td>
      ) : (
        <>
          <td>{whole(stats?.games)}</td>
          <Numbers averages={playerAverages(stats)} names={names} />
        </>
      )}
    </tr>
  )
}

function CareerTable({ id, seasons }: CareerProps) {
  const shown = usePlayerCareer({ playerId: id, ...league() })
  const career = shown.data?.league?.player?.careerStats
  const averages = playerAverages(career)
  const names = namesOf(averages)
  return (
    <Part of={shown} value={career} field="careerStats" what="the career" empty="No career statistics.">
      {({ games }) => (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keyboard
        <div className="scroll" tabIndex={0} role="region" aria-label="Career">
          <table>
            <caption className="hidden">Career</caption>
            <thead>
              <tr>
                <th scope="col" className="words">
                  Season
                </th>
                <th scope="col" className="words">
                  Team
                </th>
                <th scope="col">Games</th>
                {names.map((name) => (
                  <th key={name} scope="col">
                    {statistic(name).label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {seasons
                .toSorted((a, b) => (b.season ?? 0) - (a.season ?? 0))
                .map((played) => (
                  <SeasonRow key={played.playerTeamSeasonId} id={id} played={played} names={names} />
                ))}
              <tr className="total">
                <th scope="row" className="words">
                  Career
                </th>
                <td />
                <td>{whole(games)}</td>
                <Numbers averages={averages} names={names} />
              </tr>
            </tbody>
          </table>
        </div>
      )}
    </Part>
  )
}

/** A player’s career season by season, paid for when the reader opens it. */
export function Career({ id, seasons }: CareerProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section>
      <h2>Career</h2>
      {isOpen ? (
        <CareerTable id={id} seasons={seasons} />
      ) : (
        <button type="button" onClick={() => setOpen(true)}>
          Show the career, season by season
        </button>
      )}
    </section>
  )
}
