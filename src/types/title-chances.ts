import {
  conferenceColumns,
  conferenceGames,
  conferenceRecords,
  isOpen,
  titleChances,
} from '../derived/conference-title.ts'
import type { LeagueGame } from '../derived/conference-title.ts'
import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/context.ts'
import { costOfSeason, free, sizeOf } from '../graph/cost.ts'
import { handle } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { read } from '../graph/place.ts'
import { requireScope, scopeWith } from '../graph/scope.ts'
import type { Known, Scope } from '../graph/scope.ts'
import { allOf, typedRow } from '../graph/typed-row.ts'
import { linePlace, lines } from '../loaders/lines.ts'
import { homeSeasonAt, scheduled, scheduleOrigin } from '../loaders/schedule-places.ts'
import { nothing } from '../plan/selection.ts'
import { operations } from '../specification/operations.ts'
import { projection } from './conference.ts'
import { currentRow } from './odds.ts'
import { teamFields } from './team-fields.ts'
import { allDone } from '../groups.ts'

interface TitleChance {
  readonly team: Handle<'team'>
  readonly probability: number
}

const chance = builder.objectRef<TitleChance>('TitleChance').implement({
  cost: free,
  description: 'How likely a team is to win its conference.',
  fields: (t) => ({
    ...teamFields(t),
    probability: t.float({
      nullable: false,
      description:
        'The share of 10,000 simulated seasons in which the team finishes first, 0 to 1. Teams that share first place share the season.',
      resolve: ({ probability }) => probability,
    }),
  }),
})

const field = 'ConferenceProjection.titleChances'
const selection = {
  ...nothing,
  columns: new Set<string>(conferenceColumns),
  relations: new Set(['prediction']),
}

/** A team's home games. Every game of a conference is the home game of one of its teams. */
async function homeGames(team: Handle, scope: Known<'season'>, context: Context) {
  const place = homeSeasonAt(team.entry, scope, selection, context.clientRequest)
  const games = scheduled(await read(scheduleOrigin, place, context, field), place, context)
  return allOf(games.map((game) => typedRow('game', game, conferenceColumns, context, field)))
}

/** The predicted chance of a home win; null without a prediction. */
async function chanceOf(game: LeagueGame, scope: Scope, context: Context): Promise<number | null> {
  const row = handle(context.clientRequest, 'game', game.game_id ?? '', scope)
  const origin = { loader: lines, operation: operations.getScores }
  const keys = await read(origin, linePlace(row, 'prediction', context), context, field)
  const prediction = currentRow(keys, 'prediction', row, context)
  if (!prediction) return null
  const known = await typedRow('prediction', prediction, ['home_percentage'], context, field)
  return known.home_percentage
}

async function chancesOf(teams: readonly Handle<'team'>[], scope: Known<'season'>, context: Context) {
  const keys = teams.map(({ entry }) => entry.key)
  const all = await allDone(teams.map((team) => homeGames(team, scope, context)))
  const games = conferenceGames(keys, all.flat())
  const open = await allDone(
    games.filter(isOpen).map(async (game) => ({
      home_team_id: game.home_team_id ?? '',
      away_team_id: game.away_team_id ?? '',
      home_percentage: await chanceOf(game, scope, context),
    })),
  )
  const chances = titleChances(conferenceRecords(keys, games), open)
  return teams
    .map((team): TitleChance => ({ team, probability: chances.get(team.entry.key) ?? 0 }))
    .toSorted((a, b) => b.probability - a.probability)
}

builder.objectField(projection, 'titleChances', (t) =>
  t.field({
    type: [chance],
    nullable: { list: true, items: false },
    cost: costOfSeason,
    listSize: sizeOf('teamsOfConference'),
    description:
      'Each team’s probability of winning the conference, best first: the games so far, and simulations of the games to come by their predictions; a game without one is even, and a draw counts for nobody. Null if the key has no access to simulations. Costs two calls for each team, side by side: its home games (`game/read`) and their predictions (`game/getScores`).',
    resolve: async ({ row, hasAccess, standings }, _args, context) => {
      if (!hasAccess) return null
      const { clientRequest: request, defaults } = context
      const scope = requireScope(scopeWith({}, row.scope, defaults), 'season')
      const teams = standings.flatMap((entry) => {
        const key = entry.column('team_id', request.now)
        return typeof key === 'string' ? [handle(request, 'team', key, scope)] : []
      })
      return chancesOf(teams, scope, context)
    },
  }),
)
