import { afterEach, describe, expect, it } from 'vitest'
import { importCfbfastr } from '../../../src/service/import/football.ts'
import { importNcaaHoops } from '../../../src/service/import/basketball.ts'
import { plans } from '../../../src/service/keys/plans.ts'
import { conference } from '../../../src/service/operations/conference.ts'
import { sportsOf } from '../../../src/service/operations/sports.ts'
import { openDatabase } from '../../../src/service/store/database.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { folderOf, smallCfb, smallNcaa } from './small-source.ts'
import type { SourceFiles, SourceFolder } from './small-source.ts'

const opened: Database[] = []
const folders: SourceFolder[] = []

afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
  for (const folder of folders.splice(0)) folder.remove()
})

async function imported(read: typeof importCfbfastr, files: SourceFiles, into?: Database): Promise<Database> {
  const database = into ?? (await openDatabase(':memory:'))
  if (!into) opened.push(database)
  const folder = folderOf(files, false)
  folders.push(folder)
  await read(database, folder.path, () => {})
  return database
}

type Row = Record<string, number | string | null>

/** The projected rows of a conference, by team. */
async function projected(database: Database, season: number): Promise<Map<string, Row>> {
  const league = await database.db.selectFrom('league').selectAll().executeTakeFirstOrThrow()
  const conferences = await database.db.selectFrom('conference').select('conference_id').execute()
  const { db } = database
  const context = { db, writer: db, sports: sportsOf(db), plan: plans.paid }
  const given = new Map<string, (string | number)[]>([
    ['organization_id', [league.organization_id]],
    ['conference_id', conferences.map((row) => row.conference_id ?? '')],
    ['season', [season]],
  ])
  if (conferences.length === 0) given.set('conference_id', ['any'])
  const text = await conference['getConferencePrediction']!.answer(context, given)
  const rows = Object.values(JSON.parse(text) as Record<string, Row>)
  return new Map(rows.map((row) => [String(row['team_id']), row]))
}

/** Thirty games of three teams. Some have no score, some are postponed and some canceled. */
function season(open: (nth: number) => 'played' | 'open' | 'postponed' | 'canceled'): SourceFiles {
  const pairs = ['Ants,Bees', 'Bees,Cats', 'Cats,Ants']
  const scores = { played: '70,60', open: ',', postponed: 'Postponed,', canceled: 'Canceled,Canceled' }
  const rows = Array.from({ length: 30 }, (_, nth) => {
    const day = new Date(Date.UTC(2025, 10, 3 + nth)).toISOString().slice(0, 10)
    return `${nth},${day},${pairs[nth % 3]},${scores[open(nth)]},2026`
  })
  return {
    ...smallNcaa,
    schedule: ['contest_id,game_date,home,away,home_score,away_score,season', ...rows, ''].join('\n'),
    team_box: (smallNcaa['team_box'] ?? '').split('\n')[0] ?? '',
  }
}

describe('the projections of a season under way', () => {
  const state = (nth: number) =>
    nth < 12 ? 'played' : nth % 7 === 0 ? 'canceled' : nth % 5 === 0 ? 'postponed' : 'open'

  it('give every team all of its games: wins, losses and what remains', async () => {
    const database = await imported(importNcaaHoops, season(state))
    const rows = await projected(database, 2026)
    expect(rows.size).toBe(3)
    // Each team has twenty of the thirty games; of the three that are canceled it has two.
    expect([...rows.values()].map((row) => row['total_games'])).toEqual([18, 18, 18])
    for (const row of rows.values()) {
      expect(Number(row['games'])).toBe(8)
      expect(Number(row['wins']) + Number(row['losses'])).toBeCloseTo(Number(row['total_games']), 6)
    }
  })

  it('have an entry for each team before the first game, too', async () => {
    const rows = await projected(
      await imported(
        importNcaaHoops,
        season(() => 'open'),
      ),
      2026,
    )
    const played = await projected(await imported(importNcaaHoops, season(state)), 2026)
    expect([...rows.keys()].toSorted()).toEqual([...played.keys()].toSorted())
    for (const [team, row] of rows) {
      expect(Object.keys(row)).toEqual(Object.keys(played.get(team) ?? {}))
      expect(row).toMatchObject({
        games: 0,
        total_games: 20,
        points: null,
        date_of_rank: '2025-11-03T00:00:00.000Z',
      })
      expect(Number(row['wins'])).toBeGreaterThan(0)
      expect(Number(row['wins']) + Number(row['losses'])).toBeCloseTo(20, 6)
    }
  })

  it('end where the games do, once they are imported again with their scores', async () => {
    const database = await imported(importNcaaHoops, season(state))
    await imported(
      importNcaaHoops,
      season((nth) => (state(nth) === 'canceled' ? 'canceled' : 'played')),
      database,
    )
    const rows = await projected(database, 2026)
    for (const row of rows.values()) {
      expect(row['games']).toBe(row['total_games'])
      expect(Number(row['wins']) + Number(row['losses'])).toBe(row['total_games'])
    }
  })

  it('of football without conferences are refused by name, and answered with a file of them', async () => {
    const without = await imported(importCfbfastr, smallCfb)
    await expect(projected(without, 2025)).rejects.toMatchObject({
      code: 'no_conferences',
      message: expect.stringMatching(/^College Football 2025 has no conferences/) as string,
    })
    const files = { ...smallCfb, conferences: 'team_id,conference\n1,Insects\n2,Insects\n' }
    const rows = await projected(await imported(importCfbfastr, files), 2025)
    expect(rows.size).toBe(2)
    for (const row of rows.values()) expect(Number(row['wins']) + Number(row['losses'])).toBeCloseTo(2, 6)
  })
})
