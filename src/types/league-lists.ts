import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/context.ts'
import { sizeOf } from '../graph/cost.ts'
import { handles } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { andThen } from '../loading/maybe-promise.ts'
import { read } from '../graph/place.ts'
import { relation } from '../graph/relation.ts'
import { scopeWith } from '../graph/scope.ts'
import type { ScopeArguments } from '../graph/scope.ts'
import { typeOf } from '../graph/types.ts'
import { conferences, conferencesAt } from '../loaders/conferences.ts'
import { ratings, ratingsAt } from '../loaders/ratings.ts'
import { dayAt, scheduled, scheduleOrigin } from '../loaders/schedule-places.ts'
import { nothing } from '../plan/selection.ts'
import { operations } from '../specification/operations.ts'
import { BadUserInputError } from '../errors/errors.ts'
import { league } from './league.ts'
import type { League } from './league.ts'
import { inSeason } from './season.ts'
import { allDone } from '../groups.ts'

/** The teams of ratings, without duplicates. */
function ratedTeams(ratingKeys: readonly string[], { clientRequest: request }: Context): string[] {
  const teams = ratingKeys.map((key) => request.account.rows.entry('elo', key).column('team_id', request.now))
  return [...new Set(teams.filter((team) => typeof team === 'string'))]
}

builder.objectField(league, 'teams', (t) =>
  t.field({
    type: [typeOf('team')],
    nullable: { list: true, items: false },
    listSize: sizeOf('teamsOfDivision'),
    description:
      'All teams of the league in a season, in no order. Costs one `elo/read` of all ratings, the smallest list that names every team; each team’s `elo` is then free. The teams’ own columns cost one `team/read` for all of them. Needs a key that may read in bulk.',
    args: { season: t.arg.int() },
    ...relation({
      needs: {},
      loader: ratings,
      operation: operations.readElo,
      place: ({ scope }: League, args: ScopeArguments, context) =>
        andThen(inSeason(scopeWith(args, scope, {}), context, 'League.teams'), (known) =>
          ratingsAt(null, known, true, context.clientRequest.account),
        ),
      answer: (keys, { scope }, context): Handle[] | null =>
        keys && handles(context.clientRequest, 'team', ratedTeams(keys, context), scope),
    }),
  }),
)

builder.objectField(league, 'conferences', (t) =>
  t.field({
    type: [typeOf('conference')],
    nullable: { list: true, items: false },
    listSize: sizeOf('leagues'),
    description:
      'The league’s conferences. Costs one small `conference/read` a day, their names included. Needs a key that may read in bulk.',
    ...relation({
      needs: {},
      loader: conferences,
      operation: operations.readLeagueConferences,
      place: ({ scope, entry }: League) => conferencesAt(entry, scope),
      answer: (keys, { scope }, { clientRequest: request }): Handle[] | null =>
        keys && handles(request, 'conference', keys, scope),
    }),
  }),
)

const dayLength = 86_400_000
const mostDays = 14
const field = 'League.gameDays'

/** Whether a league has games on a day. */
async function hasGames({ scope, entry }: League, date: string, context: Context): Promise<boolean> {
  const place = dayAt(entry, scope, date, nothing, context.clientRequest)
  return scheduled(await read(scheduleOrigin, place, context, field), place, context).length > 0
}

builder.objectField(league, 'gameDays', (t) =>
  t.field({
    type: ['Date'],
    nullable: { list: true, items: false },
    listSize: sizeOf('sides'),
    description:
      'The days around a day on which the league plays, in order: for the previous and next buttons of a scoreboard. Costs the scores of each day that is not known yet, one `game/getScores` a day, side by side; a day without games costs one token. The games of these days are then known too.',
    args: {
      around: t.arg({ type: 'Date', required: true, description: 'The day in the middle, `YYYY-MM-DD`.' }),
      days: t.arg.int({
        required: true,
        defaultValue: 3,
        description: 'How many days before and after it are looked at, at most 14.',
      }),
    },
    resolve: async (of, { around, days }, context) => {
      if (days < 0 || days > mostDays) throw new BadUserInputError(`\`days\` must be 0 to ${mostDays}.`)
      const middle = Date.parse(around)
      const dates = Array.from({ length: 2 * days + 1 }, (_, index) =>
        new Date(middle + (index - days) * dayLength).toISOString().slice(0, 10),
      )
      const have = await allDone(dates.map((date) => hasGames(of, date, context)))
      return dates.filter((_, index) => have[index])
    },
  }),
)
