import { builder } from '../graph/builder.ts'
import { free, sizeOf } from '../graph/cost.ts'
import { handle } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { Given, relation } from '../graph/relation.ts'
import { convert } from '../graph/conversions.ts'
import { typeOf } from '../graph/types.ts'
import { groupNames, groups, matchesAt, searches } from '../loaders/searches.ts'
import type { Group, Match } from '../loaders/searches.ts'
import { BadUserInputError } from '../errors/errors.ts'
import { operations } from '../specification/operations.ts'
import { league } from './league.ts'
import type { League } from './league.ts'

interface Found extends Match {
  readonly row: Handle
}

const foundAs = ({ key, begin, end, relevance }: Match, row: Handle): Found => ({
  key,
  begin,
  end,
  relevance,
  row,
})

const years = (match: 'player' | 'coach') =>
  ({
    begin: `The ${match}’s first season in the sport.`,
    end: `The ${match}’s last season in the sport.`,
  }) as const

function defineMatch(name: string, table: 'player' | 'coach') {
  const { begin, end } = years(table)
  return builder.objectRef<Found>(name).implement({
    cost: free,
    description: `A ${table} found by a search.`,
    fields: (t) => ({
      [table]: t.field({
        type: typeOf(table),
        nullable: false,
        description: `The ${table}. Names are included; other columns cost one read for all matches.`,
        resolve: ({ row }) => row,
      }),
      begin: t.int({ description: begin, resolve: (match) => convert.integer(match.begin) }),
      end: t.int({ description: end, resolve: (match) => convert.integer(match.end) }),
      relevanceScore: t.int({
        description: 'How well it matches; higher is better. Null if the service does not say.',
        resolve: (match) => convert.integer(match.relevance),
      }),
    }),
  })
}

const playerMatch = defineMatch('PlayerMatch', 'player')
const coachMatch = defineMatch('CoachMatch', 'coach')

interface Search {
  readonly league: League
  readonly name: string
  /** The groups that may be searched. */
  readonly groups: readonly Group[]
}

/**
 * The field options of one group's matches; null if the group is not searched. Each group fails separately.
 */
function matches<R>(group: Group, answer: (found: readonly Found[]) => R) {
  return relation({
    needs: {},
    loader: searches,
    operation: operations.search,
    place: ({ league: of, name, groups: asked }: Search) =>
      asked.includes(group) ? matchesAt(of, name, group) : new Given<R | null>(null),
    answer: (found, { scope }, { clientRequest: request }) =>
      found &&
      answer(found.map((match) => foundAs(match, handle(request, groups[group].flag, match.key, scope)))),
  })
}

const result = builder.objectRef<Search>('SearchResult').implement({
  cost: free,
  description: 'The results of a search, at most six in each group. A group that was not searched is null.',
  fields: (t) => ({
    teams: t.field({
      type: [typeOf('team')],
      nullable: { list: true, items: false },
      listSize: sizeOf('matches'),
      description: 'Teams whose name, code or alternative name matches.',
      ...matches('teams', (found): readonly Handle[] => found.map(({ row }) => row)),
    }),
    players: t.field({
      type: [playerMatch],
      nullable: { list: true, items: false },
      listSize: sizeOf('matches'),
      description: 'Players whose first or last name matches, the most relevant first.',
      ...matches('players', (found) => found),
    }),
    coaches: t.field({
      type: [coachMatch],
      nullable: { list: true, items: false },
      listSize: sizeOf('matches'),
      description: 'Coaches whose first or last name matches.',
      ...matches('coaches', (found) => found),
    }),
  }),
})

const searchGroup = builder.enumType('SearchGroup', {
  description: 'The groups of a search.',
  values: {
    TEAMS: { value: 'teams' },
    PLAYERS: { value: 'players' },
    COACHES: { value: 'coaches' },
  } as const,
})

/** Characters. What is found is kept with the league under the name, as long as the league is used. */
const longestName = 200

builder.objectField(league, 'search', (t) =>
  t.field({
    type: result,
    nullable: true,
    description:
      'Teams, players and coaches of the league by name. Only selected groups are searched. One group or all three cost one call; two groups cost two.',
    args: {
      name: t.arg.string({
        required: true,
        description: `A name, or a part of it: not blank, and at most ${longestName} characters.`,
      }),
      groups: t.arg({ type: [searchGroup] }),
    },
    resolve: (of, { name, groups: asked }) => {
      if (name.trim() === '') throw new BadUserInputError('A search needs a name.')
      if (name.length > longestName)
        throw new BadUserInputError(`A search takes a name of at most ${longestName} characters.`)
      return { league: of, name: name.trim(), groups: asked ?? groupNames }
    },
  }),
)
