/** What the server writes into the page. */
export interface Settings {
  /** Whether there is a default league. */
  readonly hasLeague?: boolean
  /** Whether each client brings its own key. */
  readonly bringsKey?: boolean
  /** The nonce for styles made in the page, which the page's policy requires. */
  readonly nonce?: string
}

const day = `# Today's games with teams, lines and
# predictions. The bill is below the answer.
query Day {
  league {
    games {
      status
      currentPeriod
      clock
      startDatetime
      homeTeam { ...Side }
      homeScore
      awayTeam { ...Side }
      awayScore
      prediction { homePercentage }
      odds {
        pre { spreadHome over }
        live { spreadHome over }
      }
    }
  }
}

fragment Side on Team {
  name
  primaryColor
}
`

const teams = `# Each home team of today with its roster,
# its points a game and where that ranks: a
# call for each team's statistics and roster,
# side by side.
query Teams {
  league {
    games {
      homeTeam {
        name
        stats {
          points { value rank }
          wins { value }
          losses { value }
        }
        roster { playerId }
      }
    }
  }
}
`

const ratings = `# The current rating of today's teams:
# one call for all of them.
query Ratings {
  league {
    games {
      homeTeam {
        name
        elo { elo dateOfEntry }
      }
      awayTeam {
        name
        elo { elo dateOfEntry }
      }
    }
  }
}
`

const leaders = `# The ten best by any statistic: one download
# of the division.
query Leaders(
  $by: String! = "adjusted_efficiency_rating"
) {
  league {
    ranking(
      subject: TEAM
      orderBy: $by
      first: 10
    ) {
      totalCount
      edges {
        node {
          stat(name: $by) { value rank }
          ... on TeamStatRanking {
            team { name }
          }
        }
      }
    }
  }
}
`

const search = `# Names and ids: one call, for the groups
# that are selected.
query Find($name: String! = "ma") {
  league {
    search(name: $name) {
      teams { teamId name }
      players {
        begin
        end
        player {
          playerId
          firstName
          lastName
        }
      }
    }
  }
}
`

const live = `# Today's games, and each again whenever
# its score, clock or line changes.
subscription Live {
  scores {
    gameId
    currentPeriod
    clock
    homeScore
    awayScore
  }
}
`

const leagues = `# The sports and divisions that there are.
query Leagues {
  organizations { organizationId name }
  divisions { divisionId name }
  usage { month tokens remaining }
}
`

const keyNeeded = `# Your key goes into the headers: there is a
# preset for it beside the bill.
`

/** The content of a new tab. */
export const blank = `# Ctrl-Space tells what can be asked for here,
# and the book at the upper left explains it.
`

/**
 * The tabs that GraphiQL opens with: example queries that have answers. The browser keeps them, so none names a day
 * or a season: tomorrow each asks for tomorrow.
 */
export function examples({ hasLeague = true, bringsKey = false }: Settings) {
  const inLeague = hasLeague ? [day, teams, ratings, leaders, search, live] : []
  return [...inLeague, leagues].map((query, at) => ({
    query: (bringsKey && at === 0 ? keyNeeded : '') + query,
  }))
}
