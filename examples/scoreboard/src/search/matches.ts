import { useEffect, useState } from 'react'
import { readFragment, TeamNameFragmentDoc } from 'statline-client'
import type { SearchQuery } from 'statline-client'
import { usePlayersTeams, useSearch } from 'statline-client/react'
import type { Result } from 'statline-client/react'
import { nameOf, yearsOf } from '../parts/numbers.ts'
import { usePaused } from '../parts/paused.ts'
import type { TeamKey } from '../parts/team-name.tsx'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'
import { probesOf, slipsIn } from './likeness.ts'

/** One result of a search, which leads to its page. */
export interface Match {
  readonly key: string
  readonly name: string
  readonly kind: 'team' | 'player'
  readonly years: string
  readonly team: TeamKey
  readonly address: string
}

type Found = NonNullable<NonNullable<SearchQuery['league']>['search']>

/**
 * Coaches are left out: the service tells nothing of a coach that a page could show, not even the team. One
 * call brings all three groups; without coaches it would take two.
 */
function matchesOf({ teams, players }: Found): readonly Match[] {
  const ofTeam = (team: TeamKey): readonly Match[] => {
    const known = readFragment(TeamNameFragmentDoc, team)
    if (!known) return []
    const { teamId, name } = known
    return [{ key: teamId, name: name ?? 'Team', kind: 'team', years: '', team, address: href.team(teamId) }]
  }
  return [
    ...(teams ?? []).flatMap(ofTeam),
    ...(players ?? []).map(({ player, begin, end }): Match => ({
      key: player.playerId,
      name: nameOf(player),
      kind: 'player',
      years: yearsOf(begin, end),
      team: null,
      address: href.player(player.playerId, end),
    })),
  ]
}

export interface Matches {
  readonly matches: readonly Match[]
  /** Whether they are only like what was typed. */
  readonly isGuess: boolean
  readonly isLoading: boolean
  readonly failure: boolean
  /** Searches again. */
  readonly retry: () => void
}

const resting = '\u0000'

/** The matches that a name with slips may mean, those with the fewest slips first. */
const nearest = (name: string, matches: readonly Match[]): Match[] =>
  matches
    .map((match) => ({ match, slips: slipsIn(name, match.name) }))
    .filter(({ slips }) => Number.isFinite(slips))
    .toSorted((a, b) => a.slips - b.slips)
    .map(({ match }) => match)

/** Whether a search has ended without an answer. */
const hasFailed = ({ loading, failure, errors, data }: Result<SearchQuery>) =>
  !loading && !data?.league?.search && (failure !== null || errors.length > 0 || data !== null)

/**
 * What has a name. If nothing has it, parts of the name are searched, one after the other, and names like it
 * are found: a search of a part costs a token or two.
 */
export function useMatches(name: string, isWanted: boolean): Matches {
  const [tried, setTried] = useState({ name, probe: 0 })
  const probe = tried.name === name ? tried.probe : 0
  const exact = useSearch({ name, ...league() }, { skip: !isWanted, maxAge: 60 })
  const found = exact.data?.league?.search
  const matches = found ? matchesOf(found) : []
  const probes = isWanted && found && matches.length === 0 ? probesOf(name) : []
  const part = probes[probe]
  const like = useSearch({ name: part ?? resting, ...league() }, { skip: part === undefined, maxAge: 60 })
  const liked = like.data?.league?.search
  const guesses = liked ? nearest(name, matchesOf(liked)) : []
  const isSpent = liked !== undefined && liked !== null && guesses.length === 0
  useEffect(() => {
    if (part !== undefined && isSpent) setTried({ name, probe: probe + 1 })
  }, [name, part, probe, isSpent])
  const isLiking = part !== undefined && guesses.length === 0
  const failure = hasFailed(exact) || (isLiking && hasFailed(like))
  return {
    matches: matches.length > 0 ? matches : guesses,
    isGuess: matches.length === 0,
    isLoading: isWanted && (exact.loading || (isLiking && !failure)),
    failure,
    retry: hasFailed(exact) ? exact.refetch : like.refetch,
  }
}

/** The last team of each player among the matches, by the player's id; asked for once the matches stay. */
export function useTeams(matches: readonly Match[]): ReadonlyMap<string, string> {
  const wanted = matches.filter(({ kind }) => kind === 'player').map(({ key }) => key)
  const ids = usePaused(wanted.join(' '), 400).split(' ').filter(Boolean)
  const shown = usePlayersTeams({ ids }, { skip: ids.length === 0, maxAge: 3_600 })
  return new Map(
    shown.data?.players?.flatMap((player) => {
      const last = player?.seasons?.toSorted((a, b) => (b.season ?? 0) - (a.season ?? 0))[0]
      return player && last?.team?.name ? [[player.playerId, last.team.name] as const] : []
    }),
  )
}
