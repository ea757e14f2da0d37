import { GameStateFragmentDoc, readFragment, ScheduledGameFragmentDoc } from 'statline-client'
import type { TeamScheduleQuery } from 'statline-client'
import { useTeamSchedule } from 'statline-client/react'
import { useState } from 'react'
import { Part } from '../parts/states.tsx'
import { Toggle } from '../parts/toggle.tsx'
import { league } from '../routing/route.ts'
import { Calendar } from './calendar.tsx'
import { ScheduleTable } from './schedule-table.tsx'
import type { Scheduled } from './schedule-table.tsx'
import { byStart } from './seen-by.ts'

type Rows = NonNullable<NonNullable<NonNullable<TeamScheduleQuery['league']>['team']>['games']>

function scheduledOf(rows: Rows): Scheduled[] {
  return rows
    .map((row) => {
      const game = readFragment(ScheduledGameFragmentDoc, row)
      const { gameId, startDate } = readFragment(GameStateFragmentDoc, game)
      return { id: gameId, date: startDate ?? null, game, line: row.odds?.pre, result: row.lineResult }
    })
    .toSorted((a, b) => byStart(a.game, b.game))
}

/** A team’s games of a season, as a list with lines and results, or as a calendar. */
export function ScheduleTab({ id, season }: { id: string; season: number }) {
  const [view, setView] = useState<'list' | 'calendar'>('list')
  const shown = useTeamSchedule({ teamId: id, season, ...league() })
  return (
    <Part
      of={shown}
      value={shown.data?.league?.team?.games}
      field="games"
      what="games"
      empty="No games in this season."
    >
      {(rows) => (
        <>
          <Toggle
            label="Show the games as"
            options={[
              ['list', 'List'],
              ['calendar', 'Calendar'],
            ]}
            chosen={view}
            onChoose={setView}
          />
          {view === 'list' ? (
            <ScheduleTable games={scheduledOf(rows)} teamId={id} />
          ) : (
            <Calendar games={scheduledOf(rows)} teamId={id} />
          )}
        </>
      )}
    </Part>
  )
}
