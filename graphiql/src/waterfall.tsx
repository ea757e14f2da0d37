import { number, size } from './figures.ts'
import type { Call } from './graph.ts'
import type { Poll } from './polls.ts'
import type { Run } from './run.ts'

/** Cached and shared calls have neither size nor time. */
const isSent = ({ source }: Call) => source === 'UPSTREAM'

/** One call as a bar from its request to its answer. */
function Bar({ call, start, length }: { call: Call; start: number; length: number }) {
  const left = (100 * (call.at - start)) / length
  const width = Math.max(0.6, (100 * call.ms) / length)
  return (
    <svg className="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect x={Math.min(left, 99.4)} width={width} height="8" rx="1" />
    </svg>
  )
}

function figuresOf(call: Call): readonly string[] {
  if (!isSent(call)) return ['–', '–', '–']
  const { bytes, tokens, ms } = call
  return [bytes === 0 ? 'no answer' : size(bytes), number(tokens), `${ms.toFixed(1)} ms`]
}

function Row({ call, start, length }: { call: Call; start: number; length: number }) {
  const [bytes, tokens, time] = figuresOf(call)
  return (
    <tr>
      <th scope="row">
        <span className="operation">{call.operation}</span> <span className="field">{call.field}</span>
      </th>
      <td>{call.ids}</td>
      <td>{bytes}</td>
      <td>{tokens}</td>
      <td>{time}</td>
      <td>{call.source.toLowerCase()}</td>
      <td className="span">{isSent(call) && <Bar call={call} start={start} length={length} />}</td>
    </tr>
  )
}

function PollRow({ start }: { start: number }) {
  return (
    <tr className="poll">
      <th colSpan={7} scope="rowgroup">
        after {(start / 1000).toFixed(1)} s
      </th>
    </tr>
  )
}

function Head({ length }: { length: number }) {
  return (
    <thead>
      <tr>
        <th scope="col">
          <span className="operation">Operation</span> <span className="field">For</span>
        </th>
        <th scope="col">Ids</th>
        <th scope="col">Bytes</th>
        <th scope="col">Tokens</th>
        <th scope="col">Time</th>
        <th scope="col">From</th>
        <th scope="col" className="span">
          {length > 0 ? `0 – ${Math.ceil(length)} ms` : 'none was sent'}
        </th>
      </tr>
    </thead>
  )
}

/** All calls of a run; those of a subscription poll by poll, the newest first. */
export function Waterfall({ run: { kind, polls } }: { run: Run }) {
  const isQuery = kind === 'query'
  const shown = isQuery ? [polls.flat()] : polls.toReversed()
  const startOf = (poll: Poll) => (isQuery ? 0 : (poll[0]?.at ?? 0))
  const lengthOf = (poll: Poll) => poll.filter(isSent).map(({ at, ms }) => at + ms - startOf(poll))
  const length = Math.max(0, ...shown.flatMap(lengthOf))
  return (
    <table>
      <caption>Calls of this run, as they were sent</caption>
      <Head length={length} />
      {shown.map((poll) => (
        <tbody key={startOf(poll)}>
          {!isQuery && <PollRow start={startOf(poll)} />}
          {poll.map((call, at) => (
            <Row key={at} call={call} start={startOf(poll)} length={length} />
          ))}
        </tbody>
      ))}
    </table>
  )
}
