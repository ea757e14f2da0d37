import { LineRecordPartsFragmentDoc, readFragment } from 'statline-client'
import { spreadRecordOf, totalRecordOf } from './record.ts'
import type { TeamPage } from './team.tsx'

const places = [
  ['All games', 'all'],
  ['At home', 'home'],
  ['Away', 'away'],
] as const

const shareOf = (won: number, lost: number) =>
  won + lost === 0 ? '–' : `${Math.round((won / (won + lost)) * 100)}%`

/** How often the team beat the spread, and how often its games went over, at home and away. */
export function LineRecords({ records }: { records: NonNullable<TeamPage['lineRecord']> }) {
  return (
    <table className="line-records">
      <caption className="hidden">Record against the closing line: won, lost, pushed</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">Spread</th>
          <th scope="col">Beaten</th>
          <th scope="col">Over–under</th>
        </tr>
      </thead>
      <tbody>
        {places.map(([label, place]) => {
          const record = readFragment(LineRecordPartsFragmentDoc, records[place])
          return (
            <tr key={place}>
              <th scope="row">{label}</th>
              <td>{spreadRecordOf(record)}</td>
              <td>{shareOf(record.wins, record.losses)}</td>
              <td>{totalRecordOf(record)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
