import { afterEach, expect, it } from 'vitest'
import { importCfbfastr } from '../../../src/service/import/football.ts'
import { closingSpreads } from '../../../src/service/league/spreads.ts'
import { collegeFootball } from '../../../src/service/leagues/college-football.ts'
import { openDatabase } from '../../../src/service/store/database.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { folderOf, smallCfb } from './small-source.ts'
import type { SourceFiles, SourceFolder } from './small-source.ts'

const opened: Database[] = []
const folders: SourceFolder[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
  for (const folder of folders.splice(0)) folder.remove()
})

const { elo, margin, forecast } = collegeFootball.rules
const chance = (logOdds: number) => Math.round(10_000 / (1 + Math.exp(-logOdds))) / 10_000

/** Of two unknown teams in one conference, the home team favoured by 3.5 points. */
const byRatings = chance(
  (forecast.elo_weight * elo.home_advantage) / 100 + forecast.margin_weight * margin.home_points,
)
const bySpread = chance(forecast.spread_weight * 3.5)

async function database(): Promise<Database> {
  const made = await openDatabase(':memory:')
  opened.push(made)
  return made
}

async function importInto(target: Database, files: SourceFiles, closingLines?: boolean): Promise<void> {
  const folder = folderOf(files)
  folders.push(folder)
  await importCfbfastr(target, folder.path, () => {}, undefined, closingLines ? { closingLines } : {})
}

/** The predicted chances of a season's games, in their order. */
async function chances({ db }: Database, season = 2025): Promise<(number | null)[]> {
  const rows = await db
    .selectFrom('prediction')
    .innerJoin('game', 'game.game_id', 'prediction.game_id')
    .select('home_percentage')
    .where('game.season', '=', season)
    .orderBy('start_datetime')
    .execute()
  return rows.map((row) => row.home_percentage)
}

it('predictions do without closing lines unless an import asks for them', async () => {
  const target = await database()
  await importInto(target, smallCfb)
  const [first, second] = await chances(target)
  expect(first).toBe(byRatings)

  await importInto(target, smallCfb, true)
  // The line of the second game is a filler, so its prediction stays.
  expect(await chances(target)).toEqual([bySpread, second])
  expect(bySpread).not.toBe(byRatings)

  await importInto(target, smallCfb)
  expect(await chances(target)).toEqual([first, second])
})

it('a season keeps its use of closing lines when an earlier one changes its ratings', async () => {
  const target = await database()
  await importInto(target, smallCfb, true)
  const [, alone] = await chances(target)
  const earlier = (smallCfb['schedule'] ?? '').replaceAll('2025', '2024').replaceAll(/^7/gm, '5')
  await importInto(target, { schedule: earlier })
  const later = await chances(target)
  expect(later[0]).toBe(bySpread)
  // The second game has no line, so its prediction follows the ratings that the earlier season has left.
  expect(later[1]).not.toBe(alone)
  expect(await chances(target, 2024)).toHaveLength(2)

  const other = await database()
  await importInto(other, { schedule: earlier })
  await importInto(other, smallCfb, true)
  expect(await chances(other)).toEqual(later)
})

it('a line that names the visiting team’s spread alone is used too', async () => {
  const target = await database()
  await importInto(target, smallCfb, true)
  const [row] = await target.db.selectFrom('odds').selectAll().execute()
  if (!row) throw new Error('The season has no line.')
  const opening = { ...row, current: 0, spread_home: 9 }
  expect([...closingSpreads([opening, { ...row, spread_home: null, spread_away: 3.5 }]).values()]).toEqual([
    -3.5,
  ])
  expect(
    closingSpreads([
      { ...row, live: 1 },
      { ...row, spread_home: null, spread_away: null },
    ]).size,
  ).toBe(0)
})
