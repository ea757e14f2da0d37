import { useEffect } from 'react'
import type { ReactElement, ReactNode } from 'react'
import type { FieldError } from 'statline-client'
import type { Result } from 'statline-client/react'
import { KeyForm } from './key.tsx'
import { redirect } from '../routing/location.ts'
import { href } from '../routing/href.ts'
import { useLate } from './late.ts'
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

/** Milliseconds after which a page says that it still loads. */
const lateMs = 8_000

/** Whether a retry may succeed. */
const isPassing = ({ extensions }: FieldError): boolean => !lasting.has(String(extensions?.code))

const lasting: ReadonlySet<string> = new Set(['BAD_USER_INPUT', 'QUERY_TOO_EXPENSIVE', 'UNSUPPORTED'])

interface LoadingProps {
  readonly what: string
  /** For what is not tried again by itself. */
  readonly onRetry?: () => void
}

export function Loading({ what, onRetry }: LoadingProps) {
  const isLate = useLate(lateMs)
  return (
    <p className="loading" role="status">
      Loading {what}…{isLate && ' This takes longer than usual.'}
      {isLate && onRetry && (
        <>
          {' '}
          <button type="button" onClick={onRetry}>
            Try again
          </button>
        </>
      )}
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

export type State = Pick<Result<unknown>, 'loading' | 'errors' | 'failure' | 'refetch'>

interface GapProps {
  readonly of: State
  readonly what: string
  /** Whether a failure is told elsewhere. */
  readonly isTold?: (error: FieldError) => boolean
}

const unreachable = 'Statline could not be reached.'

/** Says that something of what is shown is missing, and why; nothing while all of it is there. */
export function Gap({ of, what, isTold }: GapProps) {
  const error = of.errors.find((one) => one.extensions?.code !== 'UNSUPPORTED' && !isTold?.(one))
  if (!error && !of.failure) return null
  return (
    <div className="failure" role="alert">
      <p>
        Not all of {what} could be loaded. {error ? meaningOf(error) : unreachable}
      </p>
      {(!error || isPassing(error)) && (
        <button type="button" onClick={of.refetch}>
          {of.loading ? 'Trying again…' : 'Try again'}
        </button>
      )}
    </div>
  )
}

const isBelow = (path: FieldError['path'], field: string) => path?.slice(0, -1).includes(field) ?? false

interface PartProps<T> {
  readonly of: State
  /** What it shows; null or undefined if there is nothing. */
  readonly value: T | null | undefined
  /** The field of `value`, whose failure is shown here. */
  readonly field: string
  readonly what: string
  /** What is said, or shown, if there is nothing. */
  readonly empty: string | ReactElement
  /** Heads a page whose own heading is among its `children`, until they are there. */
  readonly title?: string
  /** Fields below it whose failures are told by parts of their own, or that are not shown. */
  readonly told?: readonly string[]
  readonly children: (value: NonNullable<T>) => ReactNode
}

/** A part of a page in one of its states: loading, failed, empty or loaded. */
export function Part<T>({ title, told = [], children, ...part }: PartProps<T>) {
  const { of, value, field, what } = part
  if (value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0))
    return (
      <>
        {/* Pages that ask again and again say themselves that the connection was lost. */}
        <Gap
          of={{ ...of, failure: null }}
          what={what}
          isTold={({ path }) => !isBelow(path, field) || told.some((one) => path?.includes(one))}
        />
        {children(value)}
      </>
    )
  const isKnown = !of.loading && !of.failure && of.errors.length === 0
  return (
    <>
      {title && !isKnown && <h1 className="hidden">{title}</h1>}
      <Absent {...part} />
    </>
  )
}

/** Why a part is not there. */
function Absent<T>({ of, value, field, what, empty }: Omit<PartProps<T>, 'children'>) {
  if (of.loading) return <Loading what={what} />
  if (of.failure) return <Failure message={unreachable} onRetry={of.refetch} />
  if (of.errors.some(({ extensions }) => extensions?.code === 'SCOPE_REQUIRED')) return <LeagueWanted />
  // Of what is undefined, the object that has it failed, or the whole query.
  const error =
    of.errors.find(({ path }) => path?.includes(field)) ?? (value === undefined ? of.errors[0] : undefined)
  if (error?.extensions?.code === 'UNAUTHENTICATED') return <KeyWanted onKey={of.refetch} />
  // An address with an id that cannot be is one of nothing.
  if (error?.extensions?.code === 'BAD_USER_INPUT' && typeof empty !== 'string') return empty
  if (error) return <Failure message={meaningOf(error)} {...(isPassing(error) && { onRetry: of.refetch })} />
  return typeof empty === 'string' ? <p className="empty">{empty}</p> : empty
}

export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Statline`
  }, [title])
}
