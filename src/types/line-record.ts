import { lineRecords, resultColumns } from '../derived/lines.ts'
import type { LineRecord, LineRecords } from '../derived/lines.ts'
import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/context.ts'
import { costOfSeason, free } from '../graph/cost.ts'
import type { Handle } from '../graph/handle.ts'
import { andThen } from '../loading/maybe-promise.ts'
import { read } from '../graph/place.ts'
import { relation } from '../graph/relation.ts'
import type { ScopeArguments } from '../graph/scope.ts'
import { selectionOf } from '../graph/selection.ts'
import { allOf, typedRow } from '../graph/typed-row.ts'
import { linePlace, lines } from '../loaders/lines.ts'
import { homeKeys, scheduled, scheduleOrigin, seasonAt } from '../loaders/schedule-places.ts'
import { nothing, union } from '../plan/selection.ts'
import { isFinalStatus } from '../specification/game-status.ts'
import { operations } from '../specification/operations.ts'
import { closingLine } from './line-result.ts'
import { inSeason } from './season.ts'
import { scopeAt, team } from './team.ts'

const record = builder.objectRef<LineRecord>('LineRecord').implement({
  cost: free,
  description: 'A team’s finished games against their closing lines, counted.',
  fields: (t) => ({
    wins: t.int({
      nullable: false,
      description: 'Games in which the team beat the spread.',
      resolve: ({ wins }) => wins,
    }),
    losses: t.int({
      nullable: false,
      description: 'Games in which its opponent beat the spread.',
      resolve: ({ losses }) => losses,
    }),
    pushes: t.int({
      nullable: false,
      description: 'Games that ended exactly on the spread.',
      resolve: ({ pushes }) => pushes,
    }),
    overs: t.int({
      nullable: false,
      description: 'Games with more points than the line.',
      resolve: ({ overs }) => overs,
    }),
    unders: t.int({
      nullable: false,
      description: 'Games with fewer points than the line.',
      resolve: ({ unders }) => unders,
    }),
    totalPushes: t.int({
      nullable: false,
      description: 'Games with exactly as many points as the line.',
      resolve: ({ totalPushes }) => totalPushes,
    }),
  }),
})

// Only the games' rows tell which are at a neutral site. A record of all games does not need them.
const atSite = { columns: ['neutral_site'], into: 'self' } as const

const records = builder.objectRef<LineRecords>('LineRecords').implement({
  cost: free,
  description:
    'A team’s record against the spread and of overs and unders. Games without a line are left out.',
  fields: (t) => ({
    all: t.field({
      type: record,
      nullable: false,
      description: 'All its games.',
      resolve: ({ all }) => all,
    }),
    home: t.field({
      type: record,
      nullable: false,
      description: 'Home games, without those at a neutral site. Costs the games’ rows too.',
      needs: atSite,
      resolve: ({ home }) => home,
    }),
    away: t.field({
      type: record,
      nullable: false,
      description: 'Away games, without those at a neutral site. Costs the games’ rows too.',
      needs: atSite,
      resolve: ({ away }) => away,
    }),
  }),
})

const field = 'Team.lineRecord'
const results = { ...nothing, columns: new Set(resultColumns), relations: new Set(['current']) }
const lineOrigin = { loader: lines, operation: operations.getScores }

const siteOf = (row: object) => ({ neutral_site: 'neutral_site' in row ? Number(row.neutral_site) : null })

/** A game of the team with its closing line. Its side follows from the call that brought the game. */
function lined(game: Handle, team_id: string, isHome: boolean, withSite: boolean, context: Context) {
  const sides = isHome
    ? { home_team_id: team_id, away_team_id: null }
    : { home_team_id: null, away_team_id: team_id }
  const columns = withSite ? ([...resultColumns, 'neutral_site'] as const) : resultColumns
  return andThen(typedRow('game', game, columns, context, field), (row) =>
    isFinalStatus(row.status)
      ? andThen(read(lineOrigin, linePlace(game, 'pre', context), context, field), (keys) =>
          andThen(closingLine(keys, game, context, field), (line) => ({
            line,
            row: { ...row, ...sides, ...siteOf(row), game_id: game.entry.key },
          })),
        )
      : null,
  )
}

builder.objectField(team, 'lineRecord', (t) =>
  t.field({
    type: records,
    nullable: true,
    cost: costOfSeason,
    description:
      'The team’s record of a season against closing lines, over its finished games. Costs two `game/getScores` side by side, one for home and one for away games; `home` and `away` cost two `game/read` more.',
    args: { season: t.arg.int() },
    ...relation({
      ...scheduleOrigin,
      needs: { into: { link: 'lineRecord' } },
      place: (row: Handle, args: ScopeArguments, context, info) =>
        andThen(inSeason(scopeAt(row, args, context), context, field), (scope) =>
          seasonAt(row.entry, scope, union([selectionOf(info), results]), context.clientRequest),
        ),
      answer: (keys, place, context, { entry }) => {
        const home = homeKeys(entry, place.scope)
        const withSite = place.wanted.selection.columns.has('neutral_site')
        const games = scheduled(keys, place, context).map((game) =>
          lined(game, entry.key, home.has(game.entry.key), withSite, context),
        )
        return andThen(allOf(games), (known): LineRecords => {
          const over = known.filter((game) => game !== null)
          const closing = new Map(
            over.flatMap(({ row, line }) => (line ? [[row.game_id, line] as const] : [])),
          )
          return lineRecords(
            entry.key,
            over.map(({ row }) => row),
            closing,
          )
        })
      },
    }),
  }),
)
