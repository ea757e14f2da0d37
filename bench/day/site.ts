import type { Database } from '../../src/service/store/database.ts'
import type { LeagueIds } from '../bill/subjects.ts'
import { keyIn, rowsIn } from '../json.ts'
import type { Asking } from '../naive/asking.ts'
import type { Player, Site } from './kinds.ts'
import { Schedule } from './schedule.ts'

const dayLength = 86_400_000
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
/** Teams whose players are looked at. */
const followedTeams = 8
/** Days looked back on and forward to. */
const [pastDays, nextDays] = [14, 3]

/** What a site's visitors look at, chosen from the service's own rows. */
export async function siteOf(
  database: Database,
  asking: Asking,
  league: LeagueIds,
  now: number,
): Promise<Site> {
  const schedule = await Schedule.of(database, league)
  const today = dayOf(now)
  const games = schedule.on(today)
  const [first] = games
  if (!first) throw new Error(`No game is played on ${today}.`)
  const { season } = first
  const before = Array.from({ length: pastDays }, (_, nth) => dayOf(now - (nth + 1) * dayLength))
  const after = Array.from({ length: nextDays }, (_, nth) => dayOf(now + (nth + 1) * dayLength))
  const played = (day: string) => schedule.on(day).length > 0
  const ratings = rowsIn(await asking.once('elo/read', { ...league, season, current: 1 }))
  const teams = [...new Set([...games.flatMap(({ home, away }) => [home, away]), ...ratings.map(teamOf)])]
  const names = rowsIn(await asking.once('team/read', { team_id: teams.slice(0, 20) }))
  return {
    league,
    season,
    today,
    schedule,
    pastDays: before.filter(played),
    nextDays: after.filter(played),
    games: [
      ...games,
      ...before
        .filter(played)
        .slice(0, 3)
        .flatMap((day) => schedule.on(day)),
    ],
    teams,
    players: await playersOf(asking, league, season, teams.slice(0, followedTeams)),
    conferences: rowsIn(await asking.once('conference/read', { ...league })).map((row) =>
      keyIn(row, 'conference_id'),
    ),
    names: [...new Set(names.map((row) => keyIn(row, 'name').slice(0, 4).toLowerCase()))],
  }
}

const teamOf = (row: Readonly<Record<string, unknown>>) => String(row['team_id'])

async function playersOf(
  asking: Asking,
  { organization_id }: LeagueIds,
  season: number,
  teams: readonly string[],
): Promise<Player[]> {
  const rosters = await Promise.all(
    teams.map(async (team) => {
      const roster = await asking.once('team/getPlayers', { organization_id, team_id: team, season })
      return Object.keys(roster).map((id) => ({ id, team }))
    }),
  )
  // One of each team after another, so that the popular ones are of several teams.
  const most = Math.max(...rosters.map(({ length }) => length))
  return Array.from({ length: most }, (_, nth) => rosters.flatMap((roster) => roster[nth] ?? [])).flat()
}
