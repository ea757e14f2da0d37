import type { FieldError } from 'statline-client'
import { meaningOf } from './states.tsx'

interface Followed {
  readonly failure: Error | null
  /** Set while what is shown is older than it should be. */
  readonly stale: unknown
}

/** Why what is followed is not followed just now, in words; null while it is. */
export function troubleOf({ failure, stale }: Followed, [error]: readonly FieldError[]): string | null {
  if (failure) return 'The connection was lost; trying again.'
  if (error) return `${meaningOf(error)} Trying again.`
  return stale ? 'The statistics service does not answer just now.' : null
}
