import { createHash } from 'node:crypto'
import { Repeater } from '@repeaterjs/repeater'
import type { GraphQLResolveInfo } from 'graphql'
import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/builder.ts'
import { fieldName, loadRow } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { attributesOf } from '../graph/operation.ts'
import { readFresh } from '../graph/relation.ts'
import { selectionOf } from '../graph/selection.ts'
import { scopeWith } from '../graph/scope.ts'
import type { ScopeArguments } from '../graph/scope.ts'
import { typeOf } from '../graph/types.ts'
import { hasCurrentOdds } from '../loaders/game-needs.ts'
import { nothing, union } from '../plan/selection.ts'
import { gameSlots } from '../rows/game-slots.ts'
import { CodedError } from '../upstream/errors.ts'
import { allDone } from '../upstream/groups.ts'
import { scoreColumns } from '../specification/operations.ts'
import type { Request } from '../upstream/request.ts'
import { recurring } from '../upstream/trace.ts'
import { scheduled, scheduleOrigin } from '../loaders/schedule-places.ts'
import { dayPlace } from './game.ts'
import { leagueOf } from './league.ts'
import { linePlace, lines } from '../loaders/lines.ts'

const field = 'Subscription.scores'

type DayPlace = ReturnType<typeof dayPlace>

/** What is compared of each game, whatever the client selects: a change of it is an event. */
const watched = { ...nothing, columns: new Set<string>(scoreColumns), facets: new Set(['current']) }

/** A moment too short for anything to change, so that a look which failed or brought nothing new is not followed at once. */
const leastWait = 1_000
const longestTimer = 2 ** 31 - 1
/** How long after a day without games nobody expects one any more, wherever its midnight is. */
const longOver = 3 * 86_400_000

/**
 * The games of a day, and each again when it has changed. Looks again when what is known has aged, so that subscribers of one day look
 * in the same moment and share the call. Ends its timer when the client goes away.
 */
function watch(args: ScopeArguments & { date: string }, context: Context, info: GraphQLResolveInfo) {
  const { client } = context
  const league = leagueOf(scopeWith(args, {}, context.defaults), context)
  const looking = recurring('look', { 'statline.field': field, ...attributesOf(info.operation) })
  // What is live is asked for as it is now.
  client.insistOnFresh()
  return new Repeater<Handle>(async (push, stop) => {
    const told = new Map<string, string>()
    const gone = new AbortController()
    void stop.then(() => gone.abort())
    while (!gone.signal.aborted) {
      client.renew()
      const place = dayPlace(league, args.date, union([selectionOf(info), watched]), client)
      const games = await look(place)
      for (const game of games ?? []) {
        const state = stateOf(game, client)
        if (state === null || told.get(game.entry.key) === state || gone.signal.aborted) continue
        told.set(game.entry.key, state)
        await push(game)
      }
      await pause(
        games ? nextLook(place, args.date, client) : client.world.fresh.freshFor.live,
        client,
        gone.signal,
      )
    }

    /** The day's games with all that is watched of them; null where they could not be had, unless they never were. */
    async function look(place: DayPlace): Promise<readonly Handle[] | null> {
      try {
        return await looking(async () => {
          const keys = await readFresh(scheduleOrigin, place, context, fieldName(info))
          const games = scheduled(keys, place, context)
          await allDone(games.map((game) => freshen(game, context)))
          return games
        })
      } catch (error) {
        if (told.size === 0 || !(error instanceof CodedError)) throw error
        return null
      }
    }
  })
}

/** Loads what is watched of a game, where it has aged. */
async function freshen(game: Handle, context: Context): Promise<void> {
  const { client } = context
  const { wanted } = linePlace(game, 'pre', context)
  await allDone<unknown>([
    loadRow(game, client, scoreColumns, field),
    ...(hasCurrentOdds(game.entry, client.now) ? [] : [lines.load({ request: client, field, wanted })]),
  ])
}

/** A digest of everything whose change is an event; null where the service no longer has the game. */
function stateOf({ entry }: Handle, { now, world }: Request): string | null {
  if (entry.isMissing(now)) return null
  const odds = (['pre', 'live'] as const).map((name) => {
    const [key] = gameSlots[name].read(entry, now) ?? []
    return key === undefined ? null : world.rows.entry('odds', key).columns(now)
  })
  const state = JSON.stringify([scoreColumns.map((column) => entry.column(column, now)), odds])
  return createHash('sha1').update(state).digest('base64')
}

/** Milliseconds until something that is known of the day has aged; infinite where nothing will, or nothing came while the day was news. */
function nextLook({ owner, slot }: DayPlace, date: string, { world }: Request): number {
  const games = slot.stale(owner) ?? []
  const now = world.upstream.settings.clock()
  if (games.length === 0 && Date.parse(date) < now - longOver) return Number.POSITIVE_INFINITY
  if (games.length > 0 && games.every((game) => world.game(game).isOver)) return Number.POSITIVE_INFINITY
  const moments = games.flatMap((game) => {
    const entry = world.rows.entry('game', game)
    return [entry.freshUntil, gameSlots.pre.freshUntil(entry), gameSlots.live.freshUntil(entry)]
  })
  return Math.min(slot.freshUntil(owner), ...moments) - now
}

/** Waits, or until the client is gone. Leaves no listener behind: a subscription pauses thousands of times. */
function pause(ms: number, { world }: Request, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (gone.aborted) return resolve()
    // Every game is over, or the day is past and has none: nothing will change.
    const isOver = ms === Number.POSITIVE_INFINITY
    const longest = Math.min(Math.max(world.fresh.freshFor.current, leastWait), longestTimer)
    const wait = Math.min(Math.max(ms, leastWait), longest)
    const timer = isOver ? undefined : setTimeout(done, wait)
    gone.addEventListener('abort', done, { once: true })
    function done(): void {
      clearTimeout(timer)
      gone.removeEventListener('abort', done)
      resolve()
    }
  })
}

builder.subscriptionType({})

builder.subscriptionField('scores', (t) =>
  t.field({
    type: typeOf('game'),
    nullable: false,
    description:
      'Sends each game of a day once, and again when its score, clock, status or line changes. Costs the day’s scores at most every 15 seconds while a game is under way, once for all subscribers of a key.',
    args: {
      organizationId: t.arg.id(),
      divisionId: t.arg.id(),
      date: t.arg({ type: 'Date', required: true }),
    },
    subscribe: (_root, args, context, info) => watch(args, context, info),
    resolve: (game: Handle) => game,
  }),
)
