import { useConferences, useCurrentSeason } from 'statline-client/react'
import { SeasonPicker } from '../parts/season-picker.tsx'
import { Part, useTitle } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { href } from '../routing/href.ts'
import { league } from '../routing/route.ts'
import type { Subject } from '../routing/route.ts'
import { PowerRatings } from './power-ratings.tsx'
import { Ranking } from './ranking.tsx'

interface LeadersProps {
  /** Without it, the teams’ ratings. */
  readonly subject: Subject | undefined
  /** Without it, the season under way. */
  readonly season: number | undefined
  readonly by: string | undefined
}

const views = [
  ['Power ratings', undefined],
  ['Teams', 'teams'],
  ['Players', 'players'],
] as const

/** The best of a season: teams by rating, and teams or players by any statistic. */
export function Leaders({ subject, season: asked, by }: LeadersProps) {
  useTitle('Leaders')
  const current = useCurrentSeason(league(), { skip: asked !== undefined })
  const known = asked ?? current.data?.league?.currentSeason
  // How many conferences a division has tells how large it is, and what its leaders cost: a token well spent.
  const sized = useConferences(league(), { maxAge: Infinity })
  return (
    <>
      <h1>Leaders</h1>
      <Tabs
        label="Leaders"
        tabs={views.map(([label, to]) => ({ label, href: href.leaders(to, asked), isShown: to === subject }))}
      />
      <Part
        of={sized.loading ? sized : current}
        value={sized.loading ? null : known}
        field="currentSeason"
        what="the season"
        empty="No season is known."
      >
        {(season) => (
          <>
            <SeasonPicker season={season} hrefOf={(year) => href.leaders(subject, year, by)} />
            {subject ? (
              <Ranking subject={subject} season={season} by={by} />
            ) : (
              <PowerRatings season={season} />
            )}
          </>
        )}
      </Part>
    </>
  )
}
