import { scheduleColumns } from '../derived/schedule.ts'
import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/context.ts'
import { costOfSeason, free } from '../graph/cost.ts'
import { scopeFrom } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { andThen } from '../loading/maybe-promise.ts'
import { requireScope, scopeWith } from '../graph/scope.ts'
import { typedRow } from '../graph/typed-row.ts'
import type { RowFields } from '../graph/types.ts'
import { restWanted, rests } from '../loaders/rests.ts'
import { game } from './game.ts'

const columns = [...scheduleColumns, 'season', 'organization_id', 'division_id'] as const

function restOf(row: Handle, side: 'home' | 'away', context: Context, field: string) {
  return andThen(typedRow('game', row, columns, context, field), (known) => {
    const team = known[`${side}_team_id`]
    if (team === null || known.start_date === null) return null
    const scope = requireScope(
      scopeWith({}, scopeFrom(row, context.clientRequest), context.defaults),
      'organization_id',
      'division_id',
      'season',
    )
    const wanted = restWanted(team, { ...known, game_id: row.entry.key }, scope)
    return rests.load({ request: context.clientRequest, field, wanted })
  })
}

const restField = (t: RowFields, side: 'home' | 'away', whose: string) =>
  t.int({
    cost: costOfSeason,
    description: `Whole days between ${whose} last game in this league and this one: 0 if it played the day before, or on the same day. Null for its first game of the season.`,
    needs: { columns, into: { link: 'rest' } },
    resolve: (row, _args, context) => restOf(row, side, context, `GameRest.${side}`),
  })

const rest = builder.objectRef<Handle>('GameRest').implement({
  cost: free,
  description: 'How long both teams of a game have rested.',
  fields: (t) => ({
    home: restField(t, 'home', 'the home team’s'),
    away: restField(t, 'away', 'the visiting team’s'),
  }),
})

builder.objectField(game, 'rest', (t) =>
  t.field({
    type: rest,
    nullable: false,
    description:
      'Rest days before the game. For a few games, costs both teams’ games of the season, two `game/read` for each team; for many games of a day, the games of the eight days before (`game/getGames`), as far as they are not known.',
    needs: { into: 'self' },
    resolve: (row) => row,
  }),
)
