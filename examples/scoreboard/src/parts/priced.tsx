import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { Price, Typed } from 'statline-client'
import { useClient, useDocument } from 'statline-client/react'
import type { Result } from 'statline-client/react'
import { bill } from '../shell/bill-store.ts'
import { Gap, Loading } from './states.tsx'
import './priced.css'

/** Tokens that a page spends without asking, all its queries together. What the reader agreed to is extra. */
export const pageLimit = 60

/** A query that is sent only if its price is within the page's limit, or once the reader agrees. */
export interface Priced<Data> extends Result<Data> {
  /** Tokens that wait for the reader's consent; null while there is nothing to agree to. */
  readonly asks: number | null
  readonly agree: () => void
  readonly isAgreed: boolean
}

interface Decision {
  /** The query and its variables: another query needs another consent. */
  readonly of: string
  readonly isSent: boolean
  readonly tokens: number
  /** The reader was asked. */
  readonly isAgreed?: boolean
  /** The query's tokens no longer have to be held: they are in the page's bill, or will not be. */
  readonly free?: () => void
}

function decide(of: string, { expected }: Price, isOffered: boolean): Decision {
  const isSent = !isOffered && (expected === 0 || bill.unasked() + expected <= pageLimit)
  return { of, isSent, tokens: Math.ceil(expected), ...(isSent && { free: bill.hold(expected) }) }
}

interface PricedOptions {
  readonly skip?: boolean
  /** Whether it waits for the reader at any price. Otherwise what is shown would depend on what is already paid for. */
  readonly isOffered?: boolean
  readonly maxAge?: number
}

/** Asks the graph for a query's price, which is free, before sending it. */
export function usePriced<Data, Variables>(
  document: Typed<Data, Variables>,
  variables: Variables,
  { skip = false, isOffered = false, maxAge }: PricedOptions = {},
): Priced<Data> {
  const client = useClient()
  const of = JSON.stringify(variables)
  const [decided, setDecided] = useState<Decision | null>(null)
  const decision = decided?.of === of ? decided : null
  useEffect(() => {
    if (skip) return
    const stop = new AbortController()
    let free: Decision['free']
    client.price(document, JSON.parse(of) as Variables, { signal: stop.signal }).then(
      (price) => {
        if (stop.signal.aborted) return
        const made = decide(of, price, isOffered)
        free = made.free
        setDecided(made)
      },
      // The query itself will say what is wrong.
      () => stop.signal.aborted || setDecided({ of, isSent: true, tokens: 0 }),
    )
    return () => {
      stop.abort()
      free?.()
    }
  }, [client, document, of, skip, isOffered])
  const isSent = !skip && (decision?.isSent ?? false)
  const shown = useDocument(document, variables, { skip: !isSent, ...(maxAge && { maxAge }) })
  const { usage } = shown
  const isAgreed = decision?.isAgreed ?? false
  const isAnswered = isSent && !shown.loading
  useEffect(() => {
    if (isAnswered) decision?.free?.()
  }, [decision, isAnswered])
  useEffect(() => {
    if (isAgreed && usage) bill.agree(usage.tokens)
  }, [isAgreed, usage])
  return {
    ...shown,
    loading: shown.loading || (!skip && decision === null),
    asks: skip || !decision || decision.isSent ? null : decision.tokens,
    agree: () => setDecided({ of, isSent: true, tokens: 0, isAgreed: true }),
    isAgreed,
  }
}

interface OfferProps {
  /** What the reader gets: `The table as it stands`. */
  readonly what: ReactNode
  readonly tokens: number
  readonly onAgree: () => void
}

/** Names the price of a part of the page, and shows the part if the reader agrees. */
export function Offer({ what, tokens, onAgree }: OfferProps) {
  return (
    <div className="offer">
      <p>
        {what}: <span className="price">about {tokens.toLocaleString('en')} tokens.</span>
      </p>
      <button type="button" onClick={onAgree}>
        Show for {tokens.toLocaleString('en')} tokens
      </button>
    </div>
  )
}

interface ExtraProps<Data> {
  readonly of: Priced<Data>
  /** What the reader gets, as in an offer, and within a sentence: `the records`. */
  readonly what: string
  readonly name: string
}

/** What adds to a part that is shown anyway: offered, then loading, and named if it cannot be had. */
export function Extra<Data>({ of, what, name }: ExtraProps<Data>) {
  if (of.asks !== null) return <Offer what={what} tokens={of.asks} onAgree={of.agree} />
  if (of.loading && of.data === null)
    return of.isAgreed ? (
      <div>
        <Loading what={name} />
      </div>
    ) : null
  return <Gap of={of} what={name} />
}

interface PricedPartProps<Data> {
  readonly of: Priced<Data>
  readonly what: string
  readonly children: ReactNode
  /** What stands below, once it is known how high the part is: it must not jump. */
  readonly after?: ReactNode
}

/** A part of a page whose query asks before it spends. Once it is sent, `children` show its state. */
export function PricedPart<Data>({ of, what, children, after }: PricedPartProps<Data>) {
  if (of.asks === null && of.loading && of.data === null) return <Loading what={what.toLowerCase()} />
  return (
    <>
      {of.asks === null ? children : <Offer what={what} tokens={of.asks} onAgree={of.agree} />}
      {after}
    </>
  )
}
