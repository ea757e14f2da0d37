import { useSyncExternalStore } from 'react'
import type { BillLine } from './bill-lines.ts'
import { billOpen } from './bill-open.ts'
import { bill } from './bill-store.ts'
import type { PageBill } from './bill-store.ts'
import { Table } from '../parts/table.tsx'
import { leagueZone } from '../routing/days.ts'
import './bill.css'

const count = (value: number, noun: string) =>
  `${value.toLocaleString('en')} ${noun}${value === 1 ? '' : 's'}`

const kib = (bytes: number) => `${Math.ceil(bytes / 1024).toLocaleString('en')} KiB`

const sentence = ({ usage: { bytes, calls, cacheHits } }: PageBill) =>
  `: ${count(calls, 'call')} to the service, ${kib(bytes)}, ${count(cacheHits, 'answer')} already paid for.`

const byCost = (a: BillLine, b: BillLine) => b.tokens - a.tokens || Number(b.isBilled) - Number(a.isBilled)

const cellsOf = ({ field, operation, isBilled, calls, bytes, tokens }: BillLine) => [
  <code key="part">{field}</code>,
  <code key="call">{operation}</code>,
  isBilled ? 'the service' : 'what was paid for',
  isBilled ? calls : '–',
  isBilled ? (bytes / 1024).toFixed(1) : '–',
  isBilled ? Math.round(tokens) : '0',
]

/** Each field of the page’s queries with the calls that served it. */
function Lines({ of: { lines, unlisted } }: { of: PageBill }) {
  const { calls, bytes, tokens } = unlisted
  const rest = [
    'Not listed one by one',
    '–',
    'the service',
    calls,
    (bytes / 1024).toFixed(1),
    Math.round(tokens),
  ]
  return (
    <>
      <Table
        caption="Which call served which part"
        words={3}
        columns={['Part', 'Call', 'Answered by', 'Calls', 'KiB', 'Tokens']}
        rows={[
          ...(calls > 0 ? [{ key: 'unlisted', cells: rest }] : []),
          ...lines.toSorted(byCost).map((line) => ({
            key: `${line.field} ${line.operation} ${line.isBilled}`,
            cells: cellsOf(line),
          })),
        ]}
      />
      {calls > 0 && (
        <p>
          Calls are listed with their prices while the bill is open. It stays open in this tab: the next page
          has its whole bill.
        </p>
      )}
    </>
  )
}

/** What the page has cost; opens into the calls that were made for it. */
export function Bill() {
  const current = useSyncExternalStore(bill.subscribe, bill.current)
  const isOpen = useSyncExternalStore(billOpen.subscribe, billOpen.current)
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <footer className="bill">
      <details open={isOpen} onToggle={({ currentTarget }) => billOpen.set(currentTarget.open)}>
        <summary>
          This page has cost <strong>{count(Math.round(current.usage.tokens), 'token')}</strong>
          {sentence(current)}
        </summary>
        {isOpen && current.lines.length > 0 && <Lines of={current} />}
      </details>
      <p>
        Times are yours ({zone.replaceAll('_', ' ')}); a game’s day is the league’s (
        {leagueZone.replaceAll('_', ' ')}). <a href="/graphql">Explore the graph</a>
      </p>
    </footer>
  )
}
