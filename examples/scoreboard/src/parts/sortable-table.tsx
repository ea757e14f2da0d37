import { useState } from 'react'
import type { ReactNode } from 'react'
import './table.css'
import './sortable-table.css'

export interface Column<Row> {
  /** As short as it fits: `Reb`. */
  readonly label: string
  /** What a short label stands for: `Rebounds a game`. */
  readonly meaning?: string
  readonly cell: (row: Row) => ReactNode
  /** What rows are sorted by; without it the column cannot be sorted. Rows without a value come last. */
  readonly value?: (row: Row) => number | string | null | undefined
  /** Whether the first click sorts upwards: names and ranks, and numbers of which the least are the best. */
  readonly upwards?: boolean
  /** Holds words, which begin at the left. */
  readonly words?: boolean
}

export interface Order {
  readonly at: number
  readonly upwards: boolean
}

interface SortableTableProps<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** By which column the rows are sorted at first; without it they stay as they are. */
  readonly order?: Order
  /** Sorts the rows elsewhere: they are shown as they come, and `order` says how that is. */
  readonly onOrder?: (order: Order) => void
  /** Below the last row: totals. */
  readonly foot?: ReactNode
}

type Value = number | string | null | undefined

function compared(a: Value, b: Value, upwards: boolean): number {
  if (a == null || b == null) return a == null ? (b == null ? 0 : 1) : -1
  const order = typeof a === 'string' ? a.localeCompare(String(b), 'en') : a - Number(b)
  return upwards ? order : -order
}

function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: Order | undefined) {
  const value = order && columns[order.at]?.value
  if (!value) return rows
  return rows.toSorted((a, b) => compared(value(a), value(b), order.upwards))
}

/** A short label for the eye, and what it stands for to be heard. */
function Label({ label, meaning }: Pick<Column<unknown>, 'label' | 'meaning'>) {
  if (!meaning) return label
  return (
    <>
      <span aria-hidden="true" title={meaning}>
        {label}
      </span>
      <span className="hidden">{meaning}</span>
    </>
  )
}

const className = ({ words }: { words?: boolean }) => (words ? 'words' : undefined)

interface HeadProps<Row> {
  readonly column: Column<Row>
  readonly at: number
  readonly order: Order | undefined
  readonly onOrder: (order: Order) => void
}

function Head<Row>({ column, at, order, onOrder }: HeadProps<Row>) {
  const isOrder = order?.at === at
  const first = column.upwards ?? false
  if (!column.value)
    return (
      <th scope="col" className={className(column)}>
        <Label {...column} />
      </th>
    )
  return (
    <th
      scope="col"
      className={className(column)}
      aria-sort={isOrder ? (order.upwards ? 'ascending' : 'descending') : undefined}
    >
      <button type="button" onClick={() => onOrder({ at, upwards: isOrder ? !order.upwards : first })}>
        <Label {...column} />
      </button>
    </th>
  )
}

/** What the short labels of a table stand for, for those who cannot point at them. */
export function Meanings({ columns }: { columns: readonly Pick<Column<never>, 'label' | 'meaning'>[] }) {
  const explained = columns.filter(({ meaning }) => meaning)
  if (explained.length === 0) return null
  return (
    <details className="meanings">
      <summary>What the columns mean</summary>
      <dl>
        {explained.map(({ label, meaning }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/**
 * A table whose rows are sorted by the column that the reader chooses. Wider than the screen, it scrolls,
 * also by keyboard, while the first column stays in view.
 */
export function SortableTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  order,
  onOrder,
  foot,
}: SortableTableProps<Row>) {
  const [own, setOwn] = useState(order)
  const chosen = onOrder ? order : own
  return (
    <div className="tabled">
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keyboard */}
      <div className="scroll" tabIndex={0} role="region" aria-label={caption}>
        <table className="sortable">
          <caption>
            <span className="titled">{caption}</span>
          </caption>
          <thead>
            <tr>
              {columns.map((column, at) => (
                <Head key={column.label} column={column} at={at} order={chosen} onOrder={onOrder ?? setOwn} />
              ))}
            </tr>
          </thead>
          <tbody>
            {(onOrder ? rows : sorted(rows, columns, chosen)).map((row) => (
              <tr key={keyOf(row)}>
                {columns.map((column, at) =>
                  at === 0 ? (
                    <th key={column.label} scope="row" className="words">
                      {column.cell(row)}
                    </th>
                  ) : (
                    <td key={column.label} className={className(column)}>
                      {column.cell(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
          {foot && <tfoot>{foot}</tfoot>}
        </table>
      </div>
      <Meanings columns={columns} />
    </div>
  )
}
