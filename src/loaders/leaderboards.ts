import { Loader } from '../loading/loader.ts'
import { byWhat, requestsOf } from '../loading/ask-groups.ts'
import type { Asks } from '../loading/ask-groups.ts'
import type { Wanted } from '../loading/ask.ts'
import { column, handle } from '../graph/handle.ts'
import { andThen } from '../loading/maybe-promise.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import { plain } from '../graph/names.ts'
import type { Scope } from '../graph/scope.ts'
import { slots } from '../rows/slot.ts'
import { keyOf, tables } from '../specification/tables.ts'
import { sports } from '../specification/sport-statistics.ts'
import type { Sport } from '../specification/sport-statistics.ts'
import { rankOf } from '../specification/statistics.ts'
import { call } from '../calls/call.ts'
import type { Entry } from '../rows/entry.ts'
import { grouped } from '../groups.ts'
import type { Brought, Fill } from '../account/fill.ts'
import type { Arguments } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import type { RowCache } from '../rows/row-cache.ts'
import type { Account } from '../account/account.ts'
import type { ClientRequest } from '../account/client-request.ts'
import { leagueEntry } from './leagues.ts'
import { statisticsAt } from './statistics.ts'
import { textOf } from '../rows/values.ts'
import type { Keys } from '../rows/slot.ts'

/** A leaderboard's subject: the argument of the download, and the operation with the same rows. */
export const subjects = {
  TEAM: { type: 'team', table: 'statistic_ranking', operation: operations.downloadTeams, ranks: 'teams' },
  PLAYER: {
    type: 'player',
    table: 'player_statistic_ranking',
    operation: operations.downloadPlayers,
    ranks: 'players',
  },
  COACH: {
    type: 'coach',
    table: 'coach_statistic_ranking',
    operation: operations.downloadCoaches,
    ranks: 'teams',
  },
  CONFERENCE: {
    type: 'conference',
    table: 'conference_statistic_ranking',
    operation: operations.downloadConferences,
    ranks: 'teams',
  },
  // Transfers are ranked by the player's statistics of the season.
  TRANSFER: { type: 'transfer', operation: operations.downloadTransfers, ranks: 'players' },
} as const

export type Subject = keyof typeof subjects
const subjectNames = Object.keys(subjects) as Subject[] // the keys just written

interface League {
  readonly entry: Entry
  readonly scope: Scope & { readonly organization_id: string; readonly division_id: string }
}

interface DownloadWanted extends Wanted {
  readonly league: League
  readonly season: number
  readonly subject: Subject
}

/** The keys of a leaderboard's rows, unordered. */
const leaderboard = slots<Keys, { subject: Subject; season: number; organization_id: string }>({
  name: 'ranking',
  keyOf: ({ subject, season }) => `${subject} ${season}`,
  freshness: ({ fresh }, { organization_id, season }) => fresh.ofSeason(organization_id, season),
  lists: ({ subject }) => subjects[subject].operation.yields,
})

/** Loads leaderboards: one download for each subject and season. */
export const downloads = new Loader<DownloadWanted, Keys>('downloads', (account, asks) =>
  byWhat(asks, (group) => download(account, group)),
)

/** Where a leaderboard is stored: with the league. */
export function leaderboardAt(league: League, subject: Subject, season: number) {
  const what = `${league.entry.key} ${season} ${subjects[subject].type}`
  const { organization_id } = league.scope
  const slot = leaderboard({ subject, season, organization_id })
  return {
    owner: league.entry,
    slot,
    wanted: { what, league, season, subject },
    scope: { ...league.scope, season },
  }
}

function download(account: Account, asks: Asks<DownloadWanted>): Promise<unknown> {
  const [{ wanted, field }] = asks
  const { league, season, subject } = wanted
  const { type, operation } = subjects[subject]
  const { organization_id, division_id } = league.scope
  return call(account, {
    operation,
    arguments: { organization_id, division_id, season, type },
    requests: requestsOf(asks),
    field,
  })
}

/** The leaderboard that a download brings; null for one of no subject. */
function downloaded(account: RowCache, values: Arguments) {
  const subject = subjectNames.find((name) => subjects[name].type === values['type'])
  if (!subject) return null
  const scope = {
    organization_id: String(values['organization_id']),
    division_id: String(values['division_id']),
  }
  const league = { entry: leagueEntry(account, scope), scope }
  const season = Number(values['season'])
  return { league, season, subject, slot: leaderboardAt(league, subject, season).slot }
}

export function leaderboardBrought(account: RowCache, values: Arguments): readonly Brought[] {
  const found = downloaded(account, values)
  return found ? [[found.league.entry, found.slot]] : []
}

export const leaderboardFill: Fill = (account, { arguments: values, keys, boughtAt }) => {
  const found = downloaded(account, values)
  if (!found) return
  found.slot.put(account, found.league.entry, keys, boughtAt)
  shareWithOwners(account, found, keys, boughtAt)
}

/**
 * All operations return the same current row of a team, coach or conference. A player may have one for each
 * team.
 */
function shareWithOwners(
  account: RowCache,
  { league: { scope }, season, subject }: Omit<DownloadWanted, 'what'>,
  keys: Keys,
  boughtAt: number,
): void {
  // A transfer has a row of its own, and may have no statistics.
  if (subject === 'TRANSFER') return
  const { type: owner, table } = subjects[subject]
  const identity = keyOf(owner)
  const idOf = (key: string) => textOf(account.rows.entry(table, key).column(identity, boughtAt - 1) ?? '')
  for (const [id, [key, ...others]] of grouped(keys, idOf)) {
    if (id === '' || key === undefined || others.length > 0) continue
    const entry = account.rows.entry(owner, id)
    const { slot } = statisticsAt(table, entry, { ...scope, season }, { identity: { [identity]: id } })
    slot.put(account, entry, [key], boughtAt)
  }
}

/**
 * Whether a download can help with this statistic, as known rows of the leaderboard tell; null if no row is known.
 * Columns that identify a row are not statistics, nor are the ranks of others.
 */
export function rowsHave(
  orderBy: string,
  league: League,
  subject: Subject,
  season: number,
  account: Account,
): boolean | null {
  const table = subjects[subject].operation.yields
  const name = plain(orderBy)
  if (Object.keys(tables[table]).some((column) => plain(column) === name)) return false
  const { slot } = leaderboardAt(league, subject, season)
  let isSeen = false
  for (const key of slot.last(league.entry) ?? []) {
    const columns = Object.keys(account.rows.entry(table, key).columns(0))
    const found = columns.find((column) => plain(column) === name)
    if (found !== undefined) return !columns.some((column) => rankOf(column) === found)
    isSeen ||= columns.length > 0
  }
  return isSeen ? false : null
}

const wordsOf: Readonly<Record<Sport, RegExp>> = { basketball: /basketball/i, football: /football/i }

const field = 'League.ranking'

/** The sport of a league, by the name of its organization, which may cost one small call; null if it does not tell. */
export function sportOf({ scope }: League, request: ClientRequest): MaybePromise<Sport | null> {
  const row = handle(request, 'organization', scope.organization_id, {})
  // Its sport does not change, so any time will do. A league whose organization cannot be read may have any.
  const known = row.entry.column('name', 0)
  const name =
    known === undefined
      ? Promise.resolve(column(row, 'name', { clientRequest: request, defaults: {} }, field)).catch(
          () => null,
        )
      : known
  return andThen(name, (text) => sports.find((sport) => wordsOf[sport].test(textOf(text ?? ''))) ?? null)
}
