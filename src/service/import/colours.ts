import { join } from 'node:path'
import type { Progress } from '../league/publish.ts'
import { findFile } from './files.ts'
import { SourceFolder } from './source-folder.ts'
import type { ReadTable } from './source-folder.ts'

/** A team’s abbreviation, names and colours. */
export interface Look {
  readonly abbreviation: string
  readonly display_name: string
  /** The school without its mascot. */
  readonly school: string
  readonly primary_color: string | null
  readonly secondary_color: string | null
}

/** Looks by ESPN’s team id, which is the same in all sports. */
export interface Looks {
  readonly byTeam: ReadonlyMap<string, Look>
  /** The id of a school by any of its names in hoopR. */
  readonly idBySchool: ReadonlyMap<string, string>
  readonly read: readonly ReadTable[]
}

const shape = {
  name: 'espn_mbb_teams',
  columns: [
    'team_id',
    'abbreviation',
    'display_name',
    'short_name',
    'nickname',
    'team',
    'color',
    'alternate_color',
  ],
  optional: ['short_name', 'nickname', 'color', 'alternate_color'],
} as const

/**
 * Finds hoopR’s table of teams in the folder or in `hoopr-teams` beside it. Without it, teams have no
 * colours.
 */
export async function readLooks(folder: string, progress: Progress): Promise<Looks> {
  const byTeam = new Map<string, Look>()
  const idBySchool = new Map<string, string>()
  const place = await placeOf(folder)
  if (place === null) return { byTeam, idBySchool, read: [] }
  const source = new SourceFolder(place, progress)
  await source.table(shape, (row) => {
    const id = row.required('team_id')
    byTeam.set(id, {
      abbreviation: row.text('abbreviation'),
      display_name: row.text('display_name'),
      school: row.text('team'),
      primary_color: hex(row.text('color')),
      secondary_color: hex(row.text('alternate_color')),
    })
    for (const column of ['nickname', 'short_name', 'team'] as const) idBySchool.set(row.text(column), id)
  })
  return { byTeam, idBySchool, read: source.read }
}

async function placeOf(folder: string): Promise<string | null> {
  for (const place of [folder, join(folder, '..', 'hoopr-teams')])
    if (await findFile(place, shape.name)) return place
  return null
}

const hex = (color: string) => (/^[0-9a-f]{6}$/i.test(color) ? `#${color.toUpperCase()}` : null)
