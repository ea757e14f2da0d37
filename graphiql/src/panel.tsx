import { useHeadersEditorState, useOperationsEditorState, useVariablesEditorState } from '@graphiql/react'
import { useBill } from './bill.ts'
import type { Call, Estimate, Month, Usage } from './bill.ts'
import { useEstimate } from './estimate.ts'
import { HeaderPresets } from './presets.tsx'

const number = (value: number) => Math.round(value).toLocaleString('en')
const size = (bytes: number) => (bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`)
const plural = (value: number, noun: string) => `${number(value)} ${noun}${value === 1 ? '' : 's'}`
const span = ({ from, to }: Estimate['calls'], noun: string) =>
  from === to ? plural(from, noun) : `${number(from)}–${plural(to, noun)}`
const among = ({ from, to }: Estimate['tokens']) => (from === to ? '' : ` (${number(from)}–${number(to)})`)

function Price({ estimate }: { estimate: Estimate | null }) {
  if (!estimate) return <p>Before the run: no price yet.</p>
  return (
    <p data-testid="estimate">
      Before the run: about <strong>{plural(estimate.usual, 'token')}</strong>
      {among(estimate.tokens)}, {span(estimate.calls, 'call')}.
    </p>
  )
}

function Total({ usage }: { usage: Usage }) {
  return (
    <p data-testid="total">
      This run: <strong>{plural(usage.tokens, 'token')}</strong>, {size(usage.bytes)},{' '}
      {plural(usage.calls, 'call')}, {plural(usage.cacheHits, 'answer')} already paid for.
    </p>
  )
}

function Rest({ month: { month, tokens, remaining } }: { month: Month }) {
  return (
    <p data-testid="month">
      {month}: {number(tokens)} tokens spent
      {remaining === null ? ', no budget set' : `, ${number(remaining)} left`}.
    </p>
  )
}

/** One call as a bar from when it was sent to when it was answered. */
function Bar({ call, end }: { call: Call; end: number }) {
  const left = (100 * call.at) / end
  const width = Math.max(0.6, (100 * call.ms) / end)
  return (
    <svg className="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect className={call.source} x={Math.min(left, 99.4)} width={width} height="8" rx="1" />
    </svg>
  )
}

function Waterfall({ plan }: { plan: readonly Call[] }) {
  const calls = plan.toSorted((a, b) => a.at - b.at)
  const end = Math.max(1, ...calls.map(({ at, ms }) => at + ms))
  return (
    <table>
      <caption>Calls of this run, as they were sent</caption>
      <thead>
        <tr>
          <th scope="col">Operation</th>
          <th scope="col">For</th>
          <th scope="col">Ids</th>
          <th scope="col">Bytes</th>
          <th scope="col">Tokens</th>
          <th scope="col">Time</th>
          <th scope="col">From</th>
          <th scope="col">0 – {Math.round(end)} ms</th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call, at) => (
          <tr key={at}>
            <th scope="row">{call.operation}</th>
            <td>{call.field}</td>
            <td>{call.ids}</td>
            <td>{size(call.bytes)}</td>
            <td>{call.tokens}</td>
            <td>{call.ms.toFixed(1)} ms</td>
            <td>{call.source.toLowerCase()}</td>
            <td className="span">
              <Bar call={call} end={end} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What the query in the editor will cost, what the last run has cost and why, and what is left. */
export function BillPanel() {
  const [query] = useOperationsEditorState()
  const [variables] = useVariablesEditorState()
  const [headers] = useHeadersEditorState()
  useEstimate(query, variables, headers)
  const { plan, usage, month, estimate } = useBill()
  return (
    <section className="bill" aria-label="Bill">
      <div className="summary" aria-live="polite">
        <Price estimate={estimate} />
        {usage && <Total usage={usage} />}
        {month && <Rest month={month} />}
        <HeaderPresets />
      </div>
      {plan && plan.length > 0 && (
        // What scrolls has to be reached by keyboard.
        <div className="waterfall" tabIndex={0} role="region" aria-label="Calls of this run">
          <Waterfall plan={plan} />
        </div>
      )}
    </section>
  )
}
