import { ComparedPlayerFragmentDoc, readFragment } from 'statline-client'
import type { ComparedPlayerFragment } from 'statline-client'
import { useComparePlayers } from 'statline-client/react'
import { usePairColors } from '../parts/color.ts'
import { nameOf, whole } from '../parts/numbers.ts'
import { Part } from '../parts/states.tsx'
import type { State } from '../parts/states.tsx'
import { readTeam, TeamLink } from '../parts/team-name.tsx'
import { VersusPart } from '../parts/versus-part.tsx'
import type { Compared } from '../parts/versus.tsx'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'
import { captionOf, compared, playerAverages } from '../team/averages.ts'
import { chooseSecond } from './pair.ts'
import type { Pair } from './pair.ts'

function Head({ player }: { player: ComparedPlayerFragment }) {
  const { stats } = player
  return (
    <>
      <a href={href.player(player.playerId, stats?.season)}>{nameOf(player)}</a>{' '}
      <small>{player.position}</small>
      {stats?.team && (
        <p className="under">
          <TeamLink team={stats.team} season={stats.season} />
        </p>
      )}
    </>
  )
}

const gamesOf = (one: ComparedPlayerFragment, other: ComparedPlayerFragment | null): Compared => ({
  label: 'Games',
  values: [one.stats?.games ?? null, other?.stats?.games ?? null],
  show: whole,
})

interface BothProps {
  readonly first: ComparedPlayerFragment
  readonly second: ComparedPlayerFragment | null
  readonly shown: State
}

function Both({ first, second, shown }: BothProps) {
  const colors = usePairColors(readTeam(first.stats?.team), readTeam(second?.stats?.team))
  const known = first.stats ?? second?.stats
  return (
    <VersusPart
      of={shown}
      value={known}
      field="stats"
      what="the players’ statistics"
      empty="Neither has played in this season."
      caption={captionOf(known?.season)}
      rows={[
        gamesOf(first, second),
        ...compared('players', playerAverages(first.stats), playerAverages(second?.stats)),
      ]}
      heads={[
        <Head key="first" player={first} />,
        second ? <Head key="second" player={second} /> : chooseSecond,
      ]}
      colors={colors}
    />
  )
}

/** Two players’ statistics of a season. */
export function Players({ first, second, season }: Pair) {
  const shown = useComparePlayers({ first, second: second ?? first, season: season ?? null, ...league() })
  const found = shown.data?.league
  return (
    <Part
      of={shown}
      value={found?.first}
      field="first"
      what="the players"
      empty="There is no such player."
      told={['stats']}
    >
      {(player) => (
        <Both
          shown={shown}
          first={readFragment(ComparedPlayerFragmentDoc, player)}
          second={second ? (readFragment(ComparedPlayerFragmentDoc, found?.second) ?? null) : null}
        />
      )}
    </Part>
  )
}
