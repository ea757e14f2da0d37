import { nameOfTeam, TeamMark } from '../parts/team-name.tsx'
import { href } from '../routing/href.ts'
import { monthsOf } from './months.ts'
import type { Scheduled } from './schedule-table.tsx'
import { seenBy } from './seen-by.ts'
import './calendar.css'

const monthName = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

function Played({ scheduled: { id, game }, teamId }: { scheduled: Scheduled; teamId: string }) {
  const { where, opponent, outcome, text } = seenBy(game, teamId)
  return (
    <a className={`played ${outcome ?? ''}`} href={href.game(id)}>
      <TeamMark team={opponent} />
      <span className="hidden">
        {where} {nameOfTeam(opponent)},
      </span>
      <span>
        {text.split(' ').map((part) => (
          <span key={part}>{part} </span>
        ))}
      </span>
    </a>
  )
}

/** A team’s games by month and weekday. */
export function Calendar({ games, teamId }: { games: readonly Scheduled[]; teamId: string }) {
  return (
    <div className="months">
      {monthsOf(games.flatMap(({ date }) => date ?? [])).map(({ first, weeks }) => (
        <table key={first} className="month">
          <caption>{monthName.format(new Date(first))}</caption>
          <thead>
            <tr>
              {weekdays.map((day) => (
                <th key={day} scope="col">
                  {day}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week.find(Boolean)}>
                {week.map((date, at) => (
                  <td key={at}>
                    {date && <span className="date">{Number(date.slice(8))}</span>}
                    {games
                      .filter((scheduled) => date !== null && scheduled.date === date)
                      .map((scheduled) => (
                        <Played key={scheduled.id} scheduled={scheduled} teamId={teamId} />
                      ))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  )
}
