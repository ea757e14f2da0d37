const links = (...directives: readonly string[]) =>
  `extend schema @link(url: "https://specs.apollo.dev/federation/v2.6", import: [${directives.map((one) => `"@${one}"`).join(', ')}])`

const relay = `
  interface Node { id: ID! }
  type PageInfo @shareable { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
`

/** Other subgraphs as these libraries print them, each with fields of its own on one of our entities. */
export const neighbours: Readonly<Record<string, string>> = {
  // Keys on our key, and provides some of our columns.
  Pothos: `
    ${links('key', 'shareable', 'external', 'provides')}
    ${relay}
    scalar Date
    type Query { node(id: ID!): Node  nodes(ids: [ID!]!): [Node]!  tickets(first: Int, after: String): QueryTicketsConnection! }
    type QueryTicketsConnection { edges: [QueryTicketsConnectionEdge]!  pageInfo: PageInfo! }
    type QueryTicketsConnectionEdge { cursor: String!  node: Ticket }
    type Ticket implements Node @key(fields: "id") {
      id: ID!
      game: Game! @provides(fields: "startDate homeTeamId")
      team: Team! @provides(fields: "name")
    }
    type Game @key(fields: "gameId") { gameId: ID!  startDate: Date @external  homeTeamId: ID @external  seatsSold: Int! }
    type Team @key(fields: "teamId") { teamId: ID!  name: String @external }
  `,
  // Keys on columns.
  'Hot Chocolate': `
    ${links('key', 'shareable')}
    ${relay}
    type Query {
      node("ID of the object." id: ID!): Node
      nodes("The list of node IDs." ids: [ID!]!): [Node]!
      stadiums(first: Int, after: String, last: Int, before: String): StadiumsConnection
      usage: Usage!
    }
    type StadiumsConnection { pageInfo: PageInfo!  edges: [StadiumsEdge!]  nodes: [Stadium!] }
    type StadiumsEdge { cursor: String!  node: Stadium! }
    type Stadium implements Node @key(fields: "id") { id: ID!  home: Team! }
    type Team @key(fields: "teamId name") { teamId: ID!  name: String  stadium: Stadium }
    type Usage { requests: Int! }
  `,
  // Its nodes have another id. Its `Query` is no node of itself here, as no other subgraph could be reached through it.
  PostGraphile: `
    ${links('key', 'shareable')}
    interface Node { nodeId: ID! }
    scalar Datetime
    type Query { node(nodeId: ID!): Node  allContracts: [Contract!] }
    type Contract implements Node { nodeId: ID!  rowId: Int!  signed: Datetime!  player: Player }
    type Player @key(fields: "playerId") { playerId: ID!  contracts: [Contract!]! }
  `,
  // Our entity is one of its nodes too, and has our id.
  Strawberry: `
    ${links('key', 'shareable')}
    ${relay}
    type Query { node(id: ID!): Node!  nodes(ids: [ID!]!): [Node!]!  fans(first: Int): FanConnection! }
    type FanConnection { pageInfo: PageInfo!  edges: [FanEdge!]! }
    type FanEdge { cursor: String!  node: Fan! }
    type Fan implements Node @key(fields: "id") { id: ID!  follows: [Team!]! }
    type Team implements Node @key(fields: "id") @key(fields: "teamId") { id: ID!  teamId: ID!  fanCount: Int! }
  `,
}
