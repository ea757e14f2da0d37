import type { LeagueRules } from '../numbers/rules.ts'

/** A league that this service knows: what it is called, and the constants of its numbers. */
export interface League {
  /** What `--league` calls it, and the database keeps. */
  readonly key: string
  readonly organization: { readonly code: string; readonly name: string }
  readonly division: { readonly code: string; readonly name: string }
  readonly rules: LeagueRules
}
