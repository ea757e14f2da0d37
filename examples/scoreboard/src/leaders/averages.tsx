import { useLeagueAverages } from 'statline-client/react'
import { statistic, valueOf } from '../parts/statistics.ts'
import { league } from '../routing/route.ts'
import '../parts/facts.css'

/** What an average team does in a game of the season, to measure the leaders by. */
export function LeagueAverages({ season }: { season: number }) {
  const { data } = useLeagueAverages({ season, ...league() })
  const known = (data?.league?.averages?.averages ?? []).filter(({ value }) => value !== null)
  if (known.length === 0) return null
  return (
    <section>
      <h2>An average team of the season</h2>
      <dl className="facts tiles">
        {known.map(({ name, value }) => (
          <div key={name}>
            <dt>{statistic(name).label}</dt>
            <dd>{valueOf(name, value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
