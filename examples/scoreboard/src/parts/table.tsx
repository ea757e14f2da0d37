import type { ReactNode } from 'react'
import './table.css'

interface Row {
  readonly key: string
  readonly cells: readonly ReactNode[]
}

interface TableProps {
  readonly caption: string
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  /** The number of leading columns with words; the others hold numbers. */
  readonly words?: number
}

const alignment = (at: number, words: number) => (at < words ? 'words' : undefined)

/** A table that scrolls on a narrow screen, also by keyboard. The first cell of a row is its header. */
export function Table({ caption, columns, rows, words = 1 }: TableProps) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keyboard
    <div className="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, at) =>
              column ? (
                <th key={column} scope="col" className={alignment(at, words)}>
                  {column}
                </th>
              ) : (
                <td key={at} />
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, at) =>
                at === 0 ? (
                  <th key={at} scope="row" className="words">
                    {cell}
                  </th>
                ) : (
                  <td key={at} className={alignment(at, words)}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
