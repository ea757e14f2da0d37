import type { Handle } from '../graph/handle.ts'
import { subjects } from '../loaders/leaderboards.ts'
import type { Subject } from '../loaders/leaderboards.ts'

/** The columns that name a row's subject. A player may have a row for each team. */
const identities: Readonly<Record<Subject, readonly string[]>> = {
  TEAM: ['team_id'],
  PLAYER: ['player_id', 'team_id'],
  COACH: ['coach_id'],
  CONFERENCE: ['conference_id'],
  // The key of such a row is the transfer's.
  TRANSFER: [],
}

/** The same row on every day: a leaderboard's rows have new ids each day. */
export function subjectOf(subject: Subject, { entry }: Handle): string {
  const ids = identities[subject].map((name) => entry.column(name, 0) ?? '')
  // A row that does not say whose it is has its own id alone.
  return ids.some((id) => id !== '') ? ids.join(' ') : entry.key
}

/** Names a leaderboard's rows. A further row of the same subject has its number too. */
function namesOf(subject: Subject, rows: readonly Handle[]): string[] {
  const counts = new Map<string, number>()
  return rows.map((row) => {
    const name = subjectOf(subject, row)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name} ${count}`
  })
}

const prefixOf = (subject: Subject) => `${subjects[subject].type}:`

/** The cursors of a leaderboard's first rows. */
export const cursorsOf = (subject: Subject, rows: readonly Handle[]): string[] =>
  namesOf(subject, rows).map((name) => Buffer.from(prefixOf(subject) + name).toString('base64'))

/** The name in a cursor; null if no leaderboard of the subject can have made it. */
export function nameIn(subject: Subject, cursor: string): string | null {
  const text = Buffer.from(cursor, 'base64').toString()
  const prefix = prefixOf(subject)
  const isOwn = text.startsWith(prefix) && Buffer.from(text).toString('base64') === cursor
  return isOwn && text.length > prefix.length ? text.slice(prefix.length) : null
}

/** The position of a named row; -1 if it is not on the leaderboard. */
export const positionOf = (subject: Subject, rows: readonly Handle[], name: string | null): number =>
  name === null ? -1 : namesOf(subject, rows).indexOf(name)
