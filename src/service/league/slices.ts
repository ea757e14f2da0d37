import { Tally } from '../numbers/tally.ts'
import { playerTallies } from '../numbers/players.ts'
import type { Facts } from './facts.ts'
import type { LeagueKey } from './league-key.ts'
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

/** The facts of one season. */
export function seasonFactsOf(facts: Facts, season: number): SeasonFacts {
  return {
    rules: facts.league.rules,
    season,
    memberships: membershipsOf(facts, season),
    games: facts.games.filter((game) => game.season === season).toSorted(byTime),
    boxscores: facts.boxscores.filter((box) => box.season === season && box.deleted === 0),
  }
}

/** The subjects of the statistics of the facts' season. */
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

/** In the database's order, so that sums do not depend on the order of a source. */
const membershipsOf = (facts: Facts, season: number) =>
  facts.memberships.filter((row) => row.season === season).toSorted((a, b) => compare(a.team_id, b.team_id))

function rosterOf(facts: Facts, season: number): Map<string, string> {
  const rows = facts.playerSeasons
    .filter((row) => row.season === season)
    .toSorted((a, b) => compare(a.player_team_season_id ?? '', b.player_team_season_id ?? ''))
  return new Map(rows.map((row) => [row.player_id ?? '', row.team_id ?? '']))
}

/** The totals of all players in finished games, of one season or of all. */
export function talliesOf(facts: Facts, season?: number): Map<string, Tally> {
  const wanted = facts.playerBoxscores.filter(
    (box) => box.final === 1 && (season === undefined || box.season === season),
  )
  return playerTallies(wanted.map(({ player_id, line }) => ({ player_id: player_id ?? '', line })))
}

/** Totals with games alone, for players without boxscores. */
export const appearanceTallies = (appearances: ReadonlyMap<string, number>): Map<string, Tally> =>
  new Map([...appearances].map(([player, games]) => [player, new Tally(games)]))
