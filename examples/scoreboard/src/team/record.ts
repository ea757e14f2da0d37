import type { LineRecordPartsFragment, TeamRecordFragment } from 'statline-client'
import { whole } from '../parts/numbers.ts'

/** Wins and losses, and those within the conference: `9–8 (4–3)`. */
export function recordOf({ wins, losses, confwins, conflosses }: TeamRecordFragment): string {
  const all = `${whole(wins?.value)}–${whole(losses?.value)}`
  if (confwins?.value == null || conflosses?.value == null) return all
  return `${all} (${whole(confwins.value)}–${whole(conflosses.value)} conf.)`
}

/** `Won 3` or `Lost 2`; nothing before the first game. */
export function streakOf({ streak }: TeamRecordFragment): string | null {
  const games = streak?.value
  if (!games) return null
  return games > 0 ? `Won ${whole(games)}` : `Lost ${whole(-games)}`
}

const withPushes = (won: number, lost: number, pushes: number) =>
  pushes > 0 ? `${won}–${lost}–${pushes}` : `${won}–${lost}`

/** A record against the spread: won, lost, pushed. */
export const spreadRecordOf = ({ wins, losses, pushes }: LineRecordPartsFragment): string =>
  withPushes(wins, losses, pushes)

/** A record of overs, unders, pushes. */
export const totalRecordOf = ({ overs, unders, totalPushes }: LineRecordPartsFragment): string =>
  withPushes(overs, unders, totalPushes)
