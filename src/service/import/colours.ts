import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Progress } from '../league/publish.ts'
import { readTable } from './table.ts'
import type { ReadTable } from './table.ts'

/** How a team is shown: its abbreviation, names and colours. */
export interface Look {
  readonly abbreviation: string
  readonly display_name: string
  /** The school without its mascot. */
  readonly school: string
  readonly primary_color: string | null
  readonly secondary_color: string | null
}

/** Looks by ESPN’s team id, which is one and the same in all sports. */
export interface Looks {
  readonly byTeam: ReadonlyMap<string, Look>
  readonly read: readonly ReadTable[]
}

const shape = {
  name: 'espn_mbb_teams',
  columns: ['team_id', 'abbreviation', 'display_name', 'team', 'color', 'alternate_color'],
} as const

/** Looks for hoopR’s table of teams in the folder itself or in `hoopr-teams` beside it; without one no team has colours. */
export async function readLooks(folder: string, progress: Progress): Promise<Looks> {
  const byTeam = new Map<string, Look>()
  const place = [folder, join(folder, '..', 'hoopr-teams')].find(hasTeams)
  if (!place) return { byTeam, read: [] }
  const read = await readTable(place, shape, progress, (row) => {
    byTeam.set(row.required('team_id'), {
      abbreviation: row.text('abbreviation'),
      display_name: row.text('display_name'),
      school: row.text('team'),
      primary_color: hex(row.text('color')),
      secondary_color: hex(row.text('alternate_color')),
    })
  })
  return { byTeam, read: [read] }
}

const hasTeams = (folder: string) =>
  ['csv', 'csv.gz'].some((ending) => existsSync(join(folder, `${shape.name}.${ending}`)))

const hex = (color: string) => (/^[0-9a-f]{6}$/i.test(color) ? `#${color.toUpperCase()}` : null)
