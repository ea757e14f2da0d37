import { useState } from 'react'
import { GameCardFragmentDoc, GameStateFragmentDoc, readFragment } from 'statline-client'
import { useLiveScores, useScoreboard } from 'statline-client/react'
import type { Heard, LiveScoresSubscription, ScoreboardQuery } from 'statline-client'
import { GameCard } from './game-card.tsx'
import { dayAfter } from '../routing/days.ts'
import { href } from '../routing/href.ts'
import { navigate } from '../routing/location.ts'
import { league } from '../routing/route.ts'
import { season } from '../routing/season.ts'
import { wholeDayOf } from '../parts/numbers.ts'
import { meaningOf, Part, useTitle } from '../parts/states.tsx'
import { useVisible } from '../parts/visible.ts'

type DaysGames = NonNullable<NonNullable<ScoreboardQuery['league']>['games']>

/** The conferences of a day’s home teams, without duplicates, by name. */
function conferencesOf(games: DaysGames) {
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
      <a href={href.games(dayAfter(date, -1))}>← Day before</a>
      <label>
        Day{' '}
        <input
          type="date"
          value={date}
          onChange={({ target }) => target.value && navigate(href.games(target.value))}
        />
      </label>
      <a href={href.games(dayAfter(date, 1))}>Day after →</a>
    </div>
  )
}

type Live = Heard<LiveScoresSubscription>

const isOver = (game: DaysGames[number]) => {
  const card = readFragment(GameCardFragmentDoc, game)
  return readFragment(GameStateFragmentDoc, card).status === 'final'
}

/** Follows the day’s games while one of them may change and the page is visible. */
function useLive(date: string, games: DaysGames | null | undefined): Live {
  const isSeen = useVisible()
  const canChange = games?.some((game) => !isOver(game)) ?? false
  return useLiveScores({ date, ...league() }, { skip: !canChange || !isSeen })
}

/** Why the day cannot be followed. The failure of one field of one game does not count. */
function Interrupted({ failure, errors }: Live) {
  const error = errors.find(({ path = [] }) => path.length < 2)
  if (!failure && !error) return null
  return (
    <p className="under" role="status">
      {error && !failure ? meaningOf(error) : 'The connection was lost; trying again.'} These scores may be
      old.
    </p>
  )
}

/** A day’s games with scores and lines, followed while they may change. */
export function Games({ date }: { date: string }) {
  useTitle(`Games of ${date}`)
  const [pollMs, setPollMs] = useState<number>()
  const shown = useScoreboard({ date, ...league() }, { pollMs })
  const games = shown.data?.league?.games
  const live = useLive(date, games)
  // Some proxies block streams; the page then polls.
  const isDeaf = live.failure !== null && live.data.length === 0
  if (isDeaf !== (pollMs !== undefined)) setPollMs(isDeaf ? 15_000 : undefined)
  return (
    <>
      <h1>{wholeDayOf(date)}</h1>
      <p className="under">{shown.data?.league?.organization?.name}</p>
      <DayPicker date={date} />
      <Part of={shown} value={games} field="games" what="the day’s games" empty="No games on this day.">
        {(all) => (
          <>
            <Interrupted {...live} />
            <DayGames games={all} live={live} />
          </>
        )}
      </Part>
    </>
  )
}

function DayGames({ games, live }: { games: DaysGames; live: Live }) {
  const newest = new Map(live.data.map(({ scores }) => [scores.gameId, scores]))
  const year = games.find((game) => game.season !== null)?.season ?? season.last
  season.last = year
  const conferences = conferencesOf(games)
  return (
    <>
      <ul className="cards">
        {games.map((game) => (
          <li key={game.gameId}>
            <GameCard game={newest.get(game.gameId) ?? game} />
          </li>
        ))}
      </ul>
      {conferences.length > 0 && (
        <section>
          <h2>Projected standings</h2>
          <ul className="links">
            {conferences.map(([id, name]) => (
              <li key={id}>
                <a href={href.conference(id, year)}>{name}</a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
