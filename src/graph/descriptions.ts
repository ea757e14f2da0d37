import SchemaBuilder, { BasePlugin } from '@pothos/core'
import type { PothosOutputFieldConfig, PothosTypeConfig, SchemaTypes } from '@pothos/core'

/** Descriptions of arguments by name. A field may set its own. */
const byArgument: Readonly<Record<string, string>> = {
  active: 'True for active ones, false for inactive ones, null for all.',
  after: 'A row’s `cursor`: the page starts after it.',
  current: 'False for all rows of the season instead of the latest; true and null for the latest.',
  date: 'A day, `YYYY-MM-DD`.',
  divisionId:
    'A division, by its global id or the service’s id. By default the division of the league above, or else the server’s default, which belongs to its default organization alone: write the division of any other. `league(code:)` needs no ids.',
  first: 'The maximum number of rows; by default all.',
  groups: 'Groups to search; by default all that the query selects.',
  id: 'An `id` from an earlier answer, or the service’s own id (`gameId`, `teamId` and so on).',
  ids: 'Values of `id` from earlier answers, or the service’s own ids.',
  name: 'A name, or a part of it.',
  names: 'Names of columns: `total_rebounds` or `totalRebounds`.',
  organizationId:
    'An organization (a sport), by its global id or the service’s id. By default the organization of the league above, or else the server’s default. `league(code:)` needs no ids.',
  season:
    'The year by which the service names the season, for example `2026`. By default the season of the object above, for example of a game, or else the league’s current season, which costs two tiny calls a day.',
  side: 'The home or the visiting team; by default both.',
  subject: 'The subjects to rank.',
  teamId:
    'One of the player’s teams, by its global id or the service’s id; for a player with several in a season.',
}

/** Arguments with another meaning in one field. */
const byField: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  careerStats: { active: 'If true, the field is null for a player who is no longer active.' },
  stat: { name: 'The name of a column: `total_rebounds` or `totalRebounds`.' },
}

/** Types and fields of the Relay and GraphQL specifications, and enum values. */
const byName: Readonly<Record<string, string>> = {
  Query:
    'Where queries begin. Start with `league`: below it no id has to be given twice. The service behind this graph bills each call by the size of its answer, about one token per KiB. Every description says what a field can cost: a *call* is one request to that service; a *read* is one call for all rows of a kind that the query needs, so that twenty teams cost one (with a trial key, one each); names such as `game/getScores` are the service’s own, as `extensions.plan` lists them. Columns of a row that is there cost nothing more. Rows that are still fresh cost nothing, and `extensions.usage` of each answer has its cost. `extensions: { explain: "dry" }` tells the price without paying.',
  Subscription:
    'Where live updates begin, over Server-Sent Events or WebSocket at the same address. All subscribers of a day share its calls: a second one costs nothing.',
  PageInfo: 'The position of a page in its list.',
  'PageInfo.endCursor': 'Cursor of the page’s last row; null for an empty page.',
  'PageInfo.startCursor': 'Cursor of the page’s first row; null for an empty page.',
  'PageInfo.hasNextPage': 'Whether there are rows after the page.',
  'PageInfo.hasPreviousPage': 'Whether there are rows before the page.',
  'Node.id': 'Global id of the object, unique across types.',
  RankingConnection: 'A page of a leaderboard.',
  'RankingConnection.edges': 'The page’s rows, best first.',
  'RankingConnection.pageInfo': 'The position of the page in the leaderboard.',
  RankingEdge: 'A row of a leaderboard.',
  'RankingEdge.cursor':
    'The row’s subject, for the argument `after`. It stays valid on later days, when the subject may have another rank.',
  'RankingEdge.node': 'The row.',
  'RankingSubject.TEAM': 'Teams, by their statistics of the season.',
  'RankingSubject.PLAYER': 'Players, by their statistics of the season.',
  'RankingSubject.COACH': 'Coaches, by their statistics of the season.',
  'RankingSubject.CONFERENCE': 'Conferences, by their statistics of the season.',
  'RankingSubject.TRANSFER': 'Players in the transfer portal, by their statistics of the season.',
  'SearchGroup.TEAMS': 'Teams, by name, code or alternative name.',
  'SearchGroup.PLAYERS': 'Players, by first or last name, or both.',
  'SearchGroup.COACHES': 'Coaches, by first or last name, or both.',
  'Side.AWAY': 'The visiting team.',
  'Side.HOME': 'The home team.',
}

/** Adds these descriptions to types, fields, arguments and enum values that have none. */
class DescriptionsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onTypeConfig(type: PothosTypeConfig): PothosTypeConfig {
    if (type.graphqlKind === 'Enum')
      for (const [name, value] of Object.entries(type.values ?? {}))
        value.description ??= byName[`${type.name}.${name}`]
    return { ...type, description: type.description ?? byName[type.name] }
  }

  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    for (const [name, argument] of Object.entries(field.args))
      argument.description ??= byField[field.name]?.[name] ?? byArgument[name]
    return { ...field, description: field.description ?? byName[`${field.parentType}.${field.name}`] }
  }
}

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      descriptions: DescriptionsPlugin<Types>
    }
  }
}

export const descriptions = 'descriptions'

SchemaBuilder.registerPlugin(descriptions, DescriptionsPlugin)
