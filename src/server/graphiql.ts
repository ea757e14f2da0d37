import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import type { GraphiQLOptions } from 'graphql-yoga'
import type { Scope } from '../graph/scope.ts'

/** A day's games with teams, sizes of rosters, statistics and ranks, where there is a league to ask for. */
const dayQuery = (
  date: string,
) => `# A day's games, each team with its roster, its points a game and where that ranks.
# The bill is in the answer, under extensions.usage.
query Day {
  league {
    games(date: "${date}") {
      status
      currentPeriod
      clock
      startDatetime
      homeScore
      awayScore
      homeTeam { ...Side }
      awayTeam { ...Side }
      odds { pre { spreadHome over } }
    }
  }
}

fragment Side on Team {
  name
  char6
  primaryColor
  stats { points { value rank } wins { value } losses { value } }
  roster { playerId }
}
`

const leaguesQuery = `# The sports and divisions that your key may see. Put the key into the headers below: { "x-api-key": "…" }
query Leagues {
  organizations { organizationId name }
  divisions { divisionId name }
}
`

/** GraphiQL opens on a query that answers: of the default league's day, or of the leagues that there are. */
export function graphiql(defaults: Scope, clock: () => number) {
  return (): GraphiQLOptions => ({
    title: 'Statline',
    defaultQuery: defaults.organization_id
      ? dayQuery(new Date(clock()).toISOString().slice(0, 10))
      : leaguesQuery,
  })
}

/** The page with everything in it, so that it asks no other host for anything. */
export const renderPage = renderGraphiQL
