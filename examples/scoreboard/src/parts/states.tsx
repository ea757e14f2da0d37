import { useEffect } from 'react'
import type { ReactElement, ReactNode } from 'react'
import type { FieldError } from 'statline-client'
import type { Result } from 'statline-client/react'
import { KeyForm } from './key.tsx'
import { redirect } from '../routing/location.ts'
import { href } from '../routing/href.ts'
import './states.css'

/** What a failure means to a reader, by the graph's error code. */
const meanings: Readonly<Record<string, string>> = {
  UPSTREAM_UNAVAILABLE: 'The statistics service does not answer just now.',
  UPSTREAM_TIMEOUT: 'The statistics service took too long to answer.',
  UPSTREAM_ERROR: 'The statistics service answered in a way that could not be understood.',
  ACCESS_DENIED: 'The plan of this key does not include this.',
  UNAUTHENTICATED: 'The statistics service does not know this key.',
  BUDGET_EXCEEDED: 'This month’s tokens are spent.',
  QUERY_TOO_EXPENSIVE: 'This costs more than one query may cost here.',
  OVERLOADED: 'The server is too busy just now.',
  UNSUPPORTED: 'The statistics service does not offer this.',
  BAD_USER_INPUT: 'There is nothing at this address: part of it is not as it should be.',
}

export const meaningOf = ({ extensions }: FieldError): string =>
  meanings[extensions?.code ?? ''] ?? 'Something went wrong here.'

/** Whether a retry may succeed. */
const isPassing = ({ extensions }: FieldError): boolean => !lasting.has(String(extensions?.code))

const lasting: ReadonlySet<string> = new Set(['BAD_USER_INPUT', 'QUERY_TOO_EXPENSIVE', 'UNSUPPORTED'])

export function Loading({ what }: { what: string }) {
  return (
    <p className="loading" role="status">
      Loading {what}…
    </p>
  )
}

export function Failure({ message, onRetry }: { message: string; onRetry?: () => void }) {
  return (
    <div className="failure" role="alert">
      <p>{message}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

function KeyWanted({ onKey }: { onKey: () => void }) {
  return (
    <div className="failure" role="alert">
      <p>{meanings['UNAUTHENTICATED']}</p>
      <KeyForm onKey={onKey} />
    </div>
  )
}

/** For a graph without a default league: asks the reader to choose one. */
function LeagueWanted() {
  useEffect(() => redirect(href.leagues()), [])
  return <Loading what="leagues" />
}

type Shown = Pick<Result<unknown>, 'loading' | 'errors' | 'failure' | 'refetch'>

interface PartProps<T> {
  readonly of: Shown
  /** What it shows; null or undefined if there is nothing. */
  readonly value: T | null | undefined
  /** The field of `value`, whose failure is shown here. */
  readonly field: string
  readonly what: string
  /** What is said, or shown, if there is nothing. */
  readonly empty: string | ReactElement
  readonly children: (value: NonNullable<T>) => ReactNode
}

/** A part of a page in one of its states: loading, failed, empty or loaded. */
export function Part<T>({ of, value, field, what, empty, children }: PartProps<T>) {
  if (value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0))
    return children(value)
  if (of.loading) return <Loading what={what} />
  if (of.failure) return <Failure message="Statline could not be reached." onRetry={of.refetch} />
  if (of.errors.some(({ extensions }) => extensions?.code === 'SCOPE_REQUIRED')) return <LeagueWanted />
  const error = of.errors.find(({ path }) => path?.includes(field))
  if (error?.extensions?.code === 'UNAUTHENTICATED') return <KeyWanted onKey={of.refetch} />
  if (error) return <Failure message={meaningOf(error)} {...(isPassing(error) && { onRetry: of.refetch })} />
  return typeof empty === 'string' ? <p className="empty">{empty}</p> : empty
}

export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Statline`
  }, [title])
}
