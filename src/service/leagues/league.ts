import type { LeagueRules } from '../numbers/rules.ts'

/** A league that this service knows: its names, and the constants of its numbers. */
export interface League {
  /** The key for `--league` and in the database. */
  readonly key: string
  readonly organization: { readonly code: string; readonly name: string }
  readonly division: { readonly code: string; readonly name: string }
  readonly rules: LeagueRules
}
