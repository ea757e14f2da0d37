import { graphql } from 'relay-runtime'

export const day = graphql`
  query pagesDayQuery($date: Date!) {
    league {
      games(date: $date) {
        homeTeam {
          ...pages_team
        }
      }
    }
  }
`

export const seasons = graphql`
  query pagesSeasonsQuery($ids: [ID!]!) {
    games(ids: $ids) {
      homeTeam {
        id
        stats {
          id
          season
          wins {
            value
          }
        }
      }
    }
  }
`

export const team = graphql`
  fragment pages_team on Team @refetchable(queryName: "pagesTeamRefetchQuery") {
    name
    primaryColor
  }
`

export const leadersPage = graphql`
  query pagesLeadersQuery($season: Int!, $count: Int!, $cursor: String) {
    league {
      ...pages_leaders
    }
  }
`

export const leaders = graphql`
  fragment pages_leaders on League {
    ranking(subject: TEAM, season: $season, orderBy: "points", first: $count, after: $cursor)
      @connection(key: "pages_ranking") {
      edges {
        node {
          stat(name: "points") {
            value
            rank
          }
        }
      }
    }
  }
`

export const live = graphql`
  subscription pagesLiveSubscription($date: Date!) {
    scores(date: $date) {
      id
      homeScore
    }
  }
`
