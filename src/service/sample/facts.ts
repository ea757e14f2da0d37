import type { Row } from '../../specification/tables.ts'
import { noFacts } from '../league/facts.ts'
import type { Facts, Membership } from '../league/facts.ts'
import { usualLeague } from '../leagues/leagues.ts'
import { dayOf } from './calendar.ts'
import { sampleId, sampleRetired } from './ids.ts'
import { endOf, scheduledRow, stateAt } from './game-rows.ts'
import type { GameState } from './game-rows.ts'
import { timelineOf } from './league.ts'
import type { SampleGame, SampleLeague } from './league.ts'
import { liveMovements, oddsRows, pregameMovements } from './market.ts'

/** Days after a game for which its live lines are kept. */
const DAYS_OF_LIVE_LINES = 2

/**
 * Everything that is known of a league at `now`, in milliseconds since 1970. Running games appear as not
 * begun, because the live league writes them.
 */
export function factsOf(league: SampleLeague, now: number): Facts {
  const games = league.games.map((game) => settledAt(game, now))
  return {
    league: usualLeague[league.competition.sport],
    organization: organizationRow(
      league.competition.organizationId,
      league.competition.code,
      league.competition.name,
    ),
    division: divisionRow(league.competition.divisionId),
    conferences: league.conferences,
    teams: league.teams,
    memberships: membershipsOf(league),
    ...peopleRows(league),
    opening: league.opening,
    games: games.map(({ state }) => state.row),
    odds: games.flatMap(({ odds }) => odds),
    boxscores: games.flatMap(({ state }) => state.boxscores),
    playerBoxscores: games.flatMap(({ state }) => state.playerBoxscores),
  }
}

/** An organization and a division that are no longer in use. */
export function retiredFacts(): Facts {
  const { organizationId, divisionId } = sampleRetired
  return {
    ...noFacts,
    league: usualLeague.basketball,
    organization: { ...organizationRow(organizationId, 'barn', 'Sample Barnstorming Circuit'), inactive: 1 },
    division: { ...divisionRow(divisionId), code: 'open', name: 'Open Division', inactive: 1 },
  }
}

interface Settled {
  readonly state: GameState
  readonly odds: readonly Row<'odds'>[]
}

function settledAt(game: SampleGame, now: number): Settled {
  const pregame = oddsRows(
    game,
    0,
    pregameMovements(game).filter(({ at }) => at <= now),
  )
  const timeline = game.fixture.start <= now ? timelineOf(game) : null
  if (!timeline || endOf(game, timeline) > now)
    return { state: { row: scheduledRow(game), boxscores: [], playerBoxscores: [] }, odds: pregame }
  const state = stateAt(game, timeline, now)
  if (game.fixture.day < dayOf(now) - DAYS_OF_LIVE_LINES) return { state, odds: pregame }
  return { state, odds: [...pregame, ...oddsRows(game, 1, liveMovements(game, timeline, now))] }
}

const organizationRow = (organization_id: string, code: string, name: string): Row<'organization'> => ({
  organization_id,
  code,
  name,
  guid: organization_id,
  inactive: 0,
  deleted: 0,
})

const divisionRow = (division_id: string): Row<'division'> => ({
  division_id,
  code: 'd1',
  name: 'Division I',
  guid: division_id,
  inactive: 0,
  deleted: 0,
})

function membershipsOf({ competition, seasons, teams, conferences }: SampleLeague): Membership[] {
  return seasons.flatMap((season) =>
    teams.map(({ team_id }, at) => ({
      team_id: team_id ?? '',
      organization_id: competition.organizationId,
      division_id: competition.divisionId,
      season,
      conference_id: conferences[Math.floor(at / competition.teamsInConference)]?.conference_id ?? null,
    })),
  )
}

function peopleRows({ people, teams, competition, seed }: SampleLeague) {
  const everyone = [...people.seasons.flatMap(({ rosters }) => rosters.flat()), ...people.gone]
  const latest = new Map(everyone.map((player) => [player.ordinal, player.row]))
  return {
    players: [...latest.values()],
    playerSeasons: people.seasons.flatMap(({ season, rosters }, nth) =>
      rosters.flatMap((roster, team) =>
        roster.map(({ ordinal, row }) => {
          const id = sampleId('player_team_season', `${competition.sport}/${nth}/${ordinal}`, seed)
          return {
            player_team_season_id: id,
            player_id: row.player_id,
            team_id: teams[team]?.team_id ?? null,
            season,
            guid: id,
            deleted: 0,
          }
        }),
      ),
    ),
    coaches: people.coaches,
    coachSeasons: people.coachSeasons,
    transfers: people.transfers,
  }
}
