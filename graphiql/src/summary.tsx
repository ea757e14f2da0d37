import type { ReactNode } from 'react'
import { clock, number, plural, size, span } from './figures.ts'
import type { Month, Usage } from './graph.ts'
import type { Price } from './price.ts'
import type { Run } from './run.ts'

/** One line. With `isNews`, screen readers announce its changes. */
function Line({ name, isNews = false, children }: { name: string; isNews?: boolean; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd aria-live={isNews ? 'polite' : 'off'}>{children}</dd>
    </div>
  )
}

function PriceLine({ price, left }: { price: Price | null; left: number | null }) {
  if (!price) return <Line name="Next run">…</Line>
  const { kind, usual, estimate, fault } = price
  if (!estimate) return <Line name="Next run">no price. {fault}</Line>
  const { from, to } = estimate.tokens
  return (
    <Line name="Next run">
      about <strong>{plural(usual, 'token')}</strong>
      {to === null ? ` (at least ${number(from)})` : from !== to && ` (${number(from)}–${number(to)})`},{' '}
      {span(estimate.calls, 'call')}
      {kind === 'subscription' && ' up to its first event'}
      {fault && <em>. {fault}</em>}
      {left !== null && usual > left && <em> – more than is left of the month</em>}
    </Line>
  )
}

const names: Readonly<Record<Run['state'], string>> = {
  running: 'Running',
  over: 'Last run',
  stopped: 'Stopped',
  failed: 'Broken off',
}

function Cost({ usage, expected }: { usage: Usage; expected: number | null }) {
  const { tokens, bytes, calls, cacheHits, estimated } = usage
  return (
    <>
      <strong>{plural(tokens, 'token')}</strong>
      {expected !== null && expected !== tokens && ` (about ${number(expected)} expected)`}
      {estimated && ' (reckoned from bytes)'}
      {calls > 0 && `, ${size(bytes)}, ${plural(calls, 'call')}`}
      {cacheHits > 0 && `, ${plural(cacheHits, 'answer')} already paid for`}
      {calls + cacheHits === 0 && ', nothing was asked of the service'}
    </>
  )
}

function RunLine({ run }: { run: Run }) {
  const { kind, state, usage, events, began } = run
  const isSubscription = kind === 'subscription'
  const isLive = isSubscription && state === 'running'
  const untold = state === 'running' ? '…' : 'no bill came with the answer'
  return (
    <Line name={isLive ? 'Live' : names[state]} isNews={!isLive}>
      {isLive && <span className="dot" aria-hidden="true" />}
      {isSubscription && `${plural(events, 'event')} since ${clock(began)}: `}
      {usage ? <Cost usage={usage} expected={isSubscription ? null : run.expected} /> : untold}
    </Line>
  )
}

/** Whether what is shown is current, and why not. */
function RowsLine({ run: { kind, state, stale, fault } }: { run: Run }) {
  const isLive = kind === 'subscription' && state === 'running'
  if (stale)
    return (
      <Line name="Rows" isNews>
        <em>
          {plural(stale.rows, 'expired row')}, up to {plural(stale.seconds, 'second')} old
        </em>
        {isLive && ', until the service answers again'}
      </Line>
    )
  if (!isLive) return null
  return (
    <Line name="Rows" isNews>
      {fault === null ? 'current' : <em>none now. {fault}</em>}
    </Line>
  )
}

function MonthLine({ month: { month, tokens, budget, remaining } }: { month: Month }) {
  return (
    <Line name={month}>
      {plural(tokens, 'token')} spent
      {budget === null || remaining === null
        ? ', no budget set'
        : `, ${number(remaining)} of ${number(budget)} left`}
    </Line>
  )
}

interface Figures {
  readonly price: Price | null
  readonly run: Run | null
  readonly month: Month | null
}

/** The expected cost of the query in the editor, the cost of the last run, and what remains of the month. */
export function Summary({ price, run, month }: Figures) {
  return (
    <dl>
      <PriceLine price={price} left={month?.remaining ?? null} />
      {run && <RunLine run={run} />}
      {run && <RowsLine run={run} />}
      {month && <MonthLine month={month} />}
    </dl>
  )
}
