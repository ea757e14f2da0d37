import { PlayerAveragesFragmentDoc, readFragment, TeamAveragesFragmentDoc } from 'statline-client'
import type { FragmentType, TeamAveragesFragment } from 'statline-client'
import { statistic, valueOf } from '../parts/statistics.ts'
import type { Subject } from '../routing/route.ts'
import type { Compared } from '../parts/versus.tsx'

type Average = TeamAveragesFragment['averages'][number]

type TeamStats = FragmentType<typeof TeamAveragesFragmentDoc> | null | undefined
type PlayerStats = FragmentType<typeof PlayerAveragesFragmentDoc> | null | undefined

/** The statistics of a team’s season that its sport has. */
export const teamAverages = (stats: TeamStats): Average[] =>
  (readFragment(TeamAveragesFragmentDoc, stats)?.averages ?? []).filter(({ value }) => value !== null)

/** The statistics of a player’s season that the sport has. */
export const playerAverages = (stats: PlayerStats): Average[] =>
  (readFragment(PlayerAveragesFragmentDoc, stats)?.averages ?? []).filter(({ value }) => value !== null)

/** The names of statistics of players, without sums of which all have none: a football player has few of them. */
export const namesOf = (averages: readonly Average[]): string[] => [
  ...new Set(
    averages.filter(({ name, value }) => value !== 0 || !statistic(name).isSum).map(({ name }) => name),
  ),
]

/** What heads the statistics of two sides. */
export const captionOf = (season: number | null | undefined): string =>
  `${season == null ? 'The season' : `Season ${season}`}, with ranks in the division`

/** Statistics of two sides, side by side: all that either has. */
export function compared(
  subject: Subject,
  first: readonly Average[],
  second: readonly Average[],
): Compared[] {
  const [one, other] = [first, second].map((list) => new Map(list.map((average) => [average.name, average])))
  const both = [...first, ...second]
  const names = subject === 'players' ? namesOf(both) : [...new Set(both.map(({ name }) => name))]
  return names.map((name) => ({
    label: statistic(name, subject).label,
    values: [one?.get(name)?.value ?? null, other?.get(name)?.value ?? null],
    ranks: [one?.get(name)?.rank ?? null, other?.get(name)?.rank ?? null],
    show: (value) => valueOf(name, value),
    isLeastBest: statistic(name).isLeastBest ?? false,
    isNeither: statistic(name).isNeither ?? false,
  }))
}
