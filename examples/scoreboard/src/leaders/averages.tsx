import { useLeagueAverages } from 'statline-client/react'
import { statistic, valueOf } from '../parts/statistics.ts'
import { Gap } from '../parts/states.tsx'
import { league } from '../routing/route.ts'
import '../parts/facts.css'

/** What an average team does in a game of the season, to measure the leaders by. */
export function LeagueAverages({ season }: { season: number }) {
  const shown = useLeagueAverages({ season, ...league() })
  const averages = shown.data?.league?.averages?.averages ?? []
  const known = averages.filter(({ value }) => value !== null)
  if (known.length === 0) return <Gap of={shown} what="an average team" />
  return (
    <section>
      <h2>An average team of the season</h2>
      <dl className="facts tiles">
        {known.map(({ name, value }) => (
          <div key={name}>
            <dt>{statistic(name, 'teams').label}</dt>
            <dd>{valueOf(name, value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
