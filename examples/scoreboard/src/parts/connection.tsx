import { useEffect, useState } from 'react'
import { timeOf } from './numbers.ts'
import './connection.css'

/** When a value last changed, as a moment. */
export function useChanged(value: unknown): Date {
  const [changed, setChanged] = useState(() => new Date())
  useEffect(() => setChanged(new Date()), [value])
  return changed
}

interface ConnectionProps {
  /** Why nothing new arrives; null while the page is followed. */
  readonly trouble: string | null
  readonly asOf: Date
  readonly onRetry: () => void
}

/** Says how old the page is while nothing new arrives. */
export function Connection({ trouble, asOf, onRetry }: ConnectionProps) {
  return (
    <div role="status" className={trouble ? 'connection' : undefined}>
      {trouble && (
        <>
          <p>
            {trouble} As of <time dateTime={asOf.toISOString()}>{timeOf(asOf.toISOString())}</time>.
          </p>
          <button type="button" onClick={onRetry}>
            Try now
          </button>
        </>
      )}
    </div>
  )
}
