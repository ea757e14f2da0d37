import { Tally } from '../numbers/tally.ts'
import { playerTallies } from '../numbers/players.ts'
import type { Facts } from './facts.ts'
import type { LeagueKey } from './clear.ts'
import { byTime } from './fixtures.ts'
import type { RankingScope } from './rankings.ts'
import type { SeasonFacts } from './seasons.ts'

export const leagueOf = (facts: Facts): LeagueKey => ({
  organization_id: facts.organization.organization_id ?? '',
  division_id: facts.division.division_id ?? '',
})

/** The facts’ seasons, the earliest first. */
export const seasonsOf = (facts: Facts): number[] =>
  [...new Set(facts.memberships.map(({ season }) => season))].toSorted((a, b) => a - b)

/** One season’s slice of the facts. */
export function seasonFactsOf(facts: Facts, season: number): SeasonFacts {
  return {
    rules: facts.league.rules,
    season,
    memberships: membershipsOf(facts, season),
    games: facts.games.filter((game) => game.season === season).toSorted(byTime),
    boxscores: facts.boxscores.filter((box) => box.season === season && box.deleted === 0),
  }
}

/** Whose statistics a season of the facts has. */
export function scopeOf(facts: Facts, season: number): RankingScope {
  return {
    ...leagueOf(facts),
    sport: facts.league.rules.sport,
    season,
    memberships: membershipsOf(facts, season),
    coaches: facts.coachSeasons.filter((row) => row.season === season),
    roster: rosterOf(facts, season),
    active: new Set(rosterOf(facts, seasonsOf(facts).at(-1) ?? season).keys()),
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** In the order in which the store has them: sums do not depend on the order of a source. */
const membershipsOf = (facts: Facts, season: number) =>
  facts.memberships.filter((row) => row.season === season).toSorted((a, b) => compare(a.team_id, b.team_id))

function rosterOf(facts: Facts, season: number): Map<string, string> {
  const rows = facts.playerSeasons
    .filter((row) => row.season === season)
    .toSorted((a, b) => compare(a.player_team_season_id ?? '', b.player_team_season_id ?? ''))
  return new Map(rows.map((row) => [row.player_id ?? '', row.team_id ?? '']))
}

/** What every player has counted in finished games: of a season, or of all of them. */
export function talliesOf(facts: Facts, season?: number): Map<string, Tally> {
  const wanted = facts.playerBoxscores.filter(
    (box) => box.final === 1 && (season === undefined || box.season === season),
  )
  return playerTallies(wanted.map(({ player_id, line }) => ({ player_id: player_id ?? '', line })))
}

/** Tallies of games alone, for players whose boxscores nobody has. */
export const appearanceTallies = (appearances: ReadonlyMap<string, number>): Map<string, Tally> =>
  new Map([...appearances].map(([player, games]) => [player, new Tally(games)]))
