import SchemaBuilder, { BasePlugin } from '@pothos/core'
import type { PothosOutputFieldConfig, PothosTypeConfig, SchemaTypes } from '@pothos/core'

/** An argument means the same wherever it stands, so it is told once here; a field may still tell it in its own words. */
const byArgument: Readonly<Record<string, string>> = {
  active: 'True for the active ones, false for the inactive, null for all.',
  after: 'A cursor: rows after it.',
  current: 'False for every row of the season instead of the latest.',
  date: 'A day, `YYYY-MM-DD`.',
  divisionId:
    'The division: its global id or the service’s own. The one in scope, else the default one, unless given.',
  first: 'How many rows at most; all of them unless given.',
  groups: 'Groups to search; those that the query selects unless given.',
  id: 'Its global id, or the service’s own.',
  ids: 'Global ids, or the service’s own.',
  name: 'A name, or a part of it.',
  names: 'The names of columns, in either spelling.',
  organizationId:
    'The organization: its global id or the service’s own. The one in scope, else the default one, unless given.',
  season: 'A season, as the service numbers it: a year. The one in scope unless given.',
  side: 'The home team’s or the visitors’; both unless given.',
  subject: 'What is ranked.',
  teamId: 'A team, by its global id or the service’s own, where the player had several.',
}

/** Arguments of one field that mean something else there. */
const byField: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  careerStats: { active: 'True for a row only where the player is still active.' },
  stat: { name: 'The name of a column, in either spelling.' },
}

/** What Relay’s specification and GraphQL’s itself bring. */
const byName: Readonly<Record<string, string>> = {
  Query: 'Where reading begins.',
  Subscription: 'Where following begins.',
  PageInfo: 'Where a page stands in its list.',
  'PageInfo.endCursor': 'Cursor of the page’s last row; null for an empty page.',
  'PageInfo.startCursor': 'Cursor of the page’s first row; null for an empty page.',
  'PageInfo.hasNextPage': 'Whether there are rows after the page.',
  'PageInfo.hasPreviousPage': 'Whether there are rows before the page.',
  'Node.id': 'Global id, the same wherever the object is met.',
  RankingConnection: 'A page of a leaderboard.',
  'RankingConnection.edges': 'The page’s rows, best first.',
  'RankingConnection.pageInfo': 'Where the page stands in the leaderboard.',
  RankingEdge: 'A row of a leaderboard.',
  'RankingEdge.cursor': 'Where the row stands: what `after` takes.',
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

/** Describes what the files of tables leave to be described in one place. */
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
