import { useScoreboard } from 'statline/client'
import type { ScoreboardQuery } from 'statline/client'
import { GameCard } from './game-card.tsx'
import { href, season } from './route.ts'
import { wholeDayOf } from './numbers.ts'
import { Part, useTitle } from './states.tsx'

const dayMs = 86_400_000
const beside = (date: string, days: number) =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)

type Games = NonNullable<NonNullable<ScoreboardQuery['league']>['games']>

/** The conferences of a day’s home teams, each once, by name. */
function conferencesOf(games: Games) {
  const known = new Map(
    games.flatMap(({ homeTeam }) =>
      homeTeam?.conference
        ? [[homeTeam.conference.conferenceId, homeTeam.conference.name ?? 'Conference']]
        : [],
    ),
  )
  return [...known].toSorted(([, a], [, b]) => a.localeCompare(b))
}

function DayPicker({ date }: { date: string }) {
  return (
    <div className="days">
      <a href={href.day(beside(date, -1))}>← Day before</a>
      <label>
        Day{' '}
        <input
          type="date"
          value={date}
          onChange={({ target }) => target.value && (location.hash = href.day(target.value))}
        />
      </label>
      <a href={href.day(beside(date, 1))}>Day after →</a>
    </div>
  )
}

/** A day’s games with scores and lines. Live ones are asked for again as often as the graph has them anew. */
export function Day({ date }: { date: string }) {
  useTitle(`Games of ${date}`)
  const shown = useScoreboard({ date }, { pollMs: 15_000 })
  const games = shown.data?.league?.games
  return (
    <>
      <h1>{wholeDayOf(date)}</h1>
      <p className="under">{shown.data?.league?.organization?.name}</p>
      <DayPicker date={date} />
      <Part of={shown} value={games} field="games" what="the day’s games" empty="No games on this day.">
        {(all) => <DayGames games={all} />}
      </Part>
    </>
  )
}

function DayGames({ games }: { games: Games }) {
  const year = games.find((game) => game.season !== null)?.season ?? season.last
  season.last = year
  const conferences = conferencesOf(games)
  return (
    <>
      <ul className="cards">
        {games.map((game) => (
          <li key={game.gameId}>
            <GameCard game={game} />
          </li>
        ))}
      </ul>
      {conferences.length > 0 && (
        <section>
          <h2>Projected standings</h2>
          <ul className="links">
            {conferences.map(([id, name]) => (
              <li key={id}>
                <a href={href.standings(id, year)}>{name}</a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
