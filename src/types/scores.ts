import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/context.ts'
import { fieldName, handle } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { parseId } from '../graph/ids.ts'
import { scopeWith } from '../graph/scope.ts'
import { sharedSelection } from '../graph/selection.ts'
import { typedRow } from '../graph/typed-row.ts'
import { typeOf } from '../graph/types.ts'
import type { GameSnapshot } from '../live/game-snapshot.ts'
import type { LeagueDay } from '../live/poller.ts'
import { subscription } from '../live/subscription.ts'
import type { LiveEvent } from '../live/progress.ts'
import type { Report } from '../live/subscriber-events.ts'
import { nothing } from '../plan/selection.ts'
import type { Selection } from '../plan/selection.ts'
import { BadUserInputError } from '../errors/errors.ts'
import { leagueNamed } from './league.ts'

function row({ row: found, error }: LiveEvent): Handle {
  if (error) throw error
  if (!found) throw new Error('An event has neither a row nor an error.')
  return found
}

const gameOf = ({ game }: GameSnapshot) => ({ topic: game.entry.key, row: game })

/** A game's day and league. Throws BadUserInputError if there is no such game. */
async function dayOfGame(key: string, context: Context, field: string): Promise<LeagueDay> {
  const game = handle(context.clientRequest, 'game', key, {})
  const columns = ['organization_id', 'division_id', 'start_date', 'deleted'] as const
  const row = await typedRow('game', game, columns, context, field)
  const { organization_id, division_id, start_date } = row
  if (organization_id === null || division_id === null || start_date === null || row.deleted === 1)
    throw new BadUserInputError('There is no game with this id, or its day is not known.')
  return { organization_id, division_id, date: start_date }
}

type Line = GameSnapshot['lines'][number]

/** The lines of a game, each with its topic. */
const reportsOfLines = (
  client: Context['clientRequest'],
  { scope }: Handle,
  lines: readonly Line[],
): readonly Report[] =>
  lines.map(({ name, key }) => ({ topic: name, row: handle(client, 'odds', key, scope) }))

/** The lines of a change that differ from the last ones sent. */
function newLines(client: Context['clientRequest']): (change: GameSnapshot) => readonly Report[] {
  let reported = new Map<string, string>()
  return ({ game, lines }) => {
    const news = lines.filter(({ name, state }) => reported.get(name) !== state)
    reported = new Map(lines.map(({ name, state }) => [name, state]))
    return reportsOfLines(client, game, news)
  }
}

/** What `lines` selects on its game. */
const currentLines: Selection = { ...nothing, relations: new Set(['current']) }

builder.subscriptionType({})

builder.subscriptionField('scores', (t) =>
  t.field({
    type: typeOf('game'),
    nullable: false,
    description:
      'Sends each game of a day once, as it is now, and again when its score, clock, status or line changes. A slow reader gets the newest state of each game. Costs the day’s scores: at most every 15 seconds while a game is played, every few minutes before, and nothing after the last game; once for all subscribers of a key. Polls are less frequent when little of the budget is left: `extensions.live` has their interval, `complete` once all games have come, and in `left` the ids of games that were moved to another day or withdrawn. While the service fails, one event says so, with `extensions.stale` or the error.',
    args: {
      code: t.arg.string({ description: 'The league’s code, `CBB` or `CBB/D1`, in place of its ids.' }),
      organizationId: t.arg.id(),
      divisionId: t.arg.id(),
      date: t.arg({
        type: 'Date',
        description:
          '`YYYY-MM-DD`. By default today in the league’s time zone; the first poll after midnight goes on to the next day.',
      }),
    },
    subscribe: (_root, { date, ...args }, context, info) => {
      const { clientRequest: request, defaults } = context
      // Without a code, a missing league is an error here.
      if (args.code == null) scopeWith(args, {}, defaults)
      const league = leagueNamed(args, context)
      if (league instanceof Promise) league.catch(() => {})
      return subscription({
        client: request,
        selection: sharedSelection(info),
        info,
        isToday: date == null,
        day: async (own) => ({ ...(await league).scope, date: date ?? own.today() }),
        reportsOf: (snapshot) => [gameOf(snapshot)],
      })
    },
    resolve: row,
  }),
)

builder.subscriptionField('game', (t) =>
  t.field({
    type: typeOf('game'),
    nullable: false,
    description:
      'Sends one game as it is now, and again when its score, clock, status or line changes. Costs the game’s row and its line, as often as `scores` is polled, and nothing once the game is over; beside a `scores` of its day, nothing. A game that is moved is followed to its new day; one that is withdrawn comes once more, with its id in `extensions.live.left`.',
    args: { id: t.arg.id({ required: true }) },
    subscribe: (_root, { id }, context, info) => {
      const key = parseId(String(id), 'game')
      return subscription({
        client: context.clientRequest,
        selection: sharedSelection(info),
        info,
        game: key,
        day: (request) => dayOfGame(key, { ...context, clientRequest: request }, fieldName(info)),
        reportsOf: (snapshot) => (snapshot.game.entry.key === key ? [gameOf(snapshot)] : []),
      })
    },
    resolve: row,
  }),
)

builder.subscriptionField('lines', (t) =>
  t.field({
    type: typeOf('odds'),
    nullable: false,
    description:
      'Sends the current pre-game and live lines of a game, and then each new line. If a line moves several times between two polls, only the last movement is sent; `odds { history }` has all. Costs as much as `game(id:)`.',
    args: { gameId: t.arg.id({ required: true, description: 'The game: its global id, or the raw UUID.' }) },
    subscribe: (_root, { gameId }, context, info) => {
      const key = parseId(String(gameId), 'game')
      const linesOf = newLines(context.clientRequest)
      return subscription({
        client: context.clientRequest,
        selection: currentLines,
        info,
        game: key,
        day: (request) => dayOfGame(key, { ...context, clientRequest: request }, fieldName(info)),
        reportsOf: (snapshot) => (snapshot.game.entry.key === key ? linesOf(snapshot) : []),
        currentOf: ({ game, lines }) => reportsOfLines(context.clientRequest, game, lines),
      })
    },
    resolve: row,
  }),
)
