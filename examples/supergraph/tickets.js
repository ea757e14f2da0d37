import { createServer } from 'node:http'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { createYoga } from 'graphql-yoga'

/**
 * A team's own data: sold tickets and fan ratings. It refers to Statline's games and players by their keys.
 */
const typeDefs = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.6", import: ["@key"])

  type Query {
    "Games by tickets sold, most first."
    bestSelling(first: Int = 10): [Game!]!
  }

  type Mutation {
    sellTickets(gameId: ID!, seats: Int!, price: Float!): Game!
    ratePlayer(playerId: ID!, stars: Int!): Player!
  }

  type Game @key(fields: "gameId") {
    gameId: ID!
    tickets: TicketSales!
  }

  type TicketSales {
    sold: Int!
    revenue: Float!
  }

  type Player @key(fields: "playerId") {
    playerId: ID!
    "Null while nobody has voted."
    fanRating: FanRating
  }

  type FanRating {
    "Mean of the stars, 1 to 5."
    stars: Float!
    votes: Int!
  }
`)

function createStore() {
  const sales = new Map()
  const votes = new Map()
  return {
    sales,
    sell(gameId, seats, price) {
      const { sold, revenue } = sales.get(gameId) ?? { sold: 0, revenue: 0 }
      sales.set(gameId, { sold: sold + seats, revenue: revenue + seats * price })
    },
    rate: (playerId, stars) => votes.set(playerId, [...(votes.get(playerId) ?? []), stars]),
    salesOf: (gameId) => sales.get(gameId) ?? { sold: 0, revenue: 0 },
    ratingOf(playerId) {
      const stars = votes.get(playerId)
      return stars
        ? { stars: stars.reduce((sum, one) => sum + one) / stars.length, votes: stars.length }
        : null
    },
  }
}

/** The subgraph, with a store of its own. */
export function createTickets() {
  const store = createStore()
  const resolvers = {
    Query: {
      bestSelling: (_root, { first }) =>
        [...store.sales]
          .toSorted(([, a], [, b]) => b.sold - a.sold)
          .slice(0, first)
          .map(([gameId]) => ({ gameId })),
    },
    Mutation: {
      sellTickets(_root, { gameId, seats, price }) {
        store.sell(gameId, seats, price)
        return { gameId }
      },
      ratePlayer(_root, { playerId, stars }) {
        store.rate(playerId, stars)
        return { playerId }
      },
    },
    Game: { tickets: ({ gameId }) => store.salesOf(gameId) },
    Player: { fanRating: ({ playerId }) => store.ratingOf(playerId) },
  }
  return createYoga({ schema: buildSubgraphSchema({ typeDefs, resolvers }), logging: false })
}

/** Serves the subgraph. Resolves with its address. */
export function startTickets(port) {
  const server = createServer(createTickets())
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () =>
      resolve({
        url: `http://127.0.0.1:${server.address().port}/graphql`,
        close: () => new Promise((done) => server.close(done)),
      }),
    )
  })
}
