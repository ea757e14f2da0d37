import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCfbTables } from '../../../src/service/import/football-tables.ts'
import { cfbFacts } from '../../../src/service/import/football-facts.ts'
import { readLooks } from '../../../src/service/import/colours.ts'
import { ImportFailed } from '../../../src/service/import/failure.ts'
import { ncaaFacts } from '../../../src/service/import/basketball-facts.ts'
import { readNcaaTables } from '../../../src/service/import/basketball-tables.ts'
import { importCsv } from '../../../src/service/import/csv-season.ts'
import { rankingClasses } from '../../../src/service/league/rankings.ts'
import { identify } from '../../../src/service/league/identity.ts'
import { openDatabase } from '../../../src/service/store/database.ts'
import type { Database } from '../../../src/service/store/database.ts'
import type { Schema } from '../../../src/service/store/schema.ts'
import { ownFormat, sourceId } from './csv-format.ts'
import { hasSeason, importedSeason, sourceFolder, withoutSeason } from './seasons.ts'
import type { RealSeason } from './seasons.ts'
import { folderOf } from './small-source.ts'

const silent = () => {}
const page = join(import.meta.dirname, '../../../docs/csv-format.md')

async function filesOf(season: RealSeason): Promise<Record<string, string>> {
  const folder = sourceFolder(season)
  const looks = await readLooks(folder, silent)
  if (season === 'football') return ownFormat(cfbFacts(await readCfbTables(folder, silent), looks).facts)
  const { facts, appearances } = ncaaFacts(await readNcaaTables(folder, silent), looks)
  return ownFormat(facts, appearances)
}

const leagues = { basketball: 'mens-college-basketball', football: 'college-football' } as const

describe.each(['basketball', 'football'] as const)('a real season of %s in the own format', (season) => {
  const suite = hasSeason(season) ? describe : describe.skip
  suite(`imported${withoutSeason(season)}`, () => {
    let own: Database
    let source: Database
    let target: string
    let teams: string[]
    let ownGames: ReadonlyMap<string, string>
    const ownId = (kind: string, id: string | null) => identify(`csv/${leagues[season]}`, kind, id ?? '')

    beforeAll(async () => {
      const imported = await importedSeason(season)
      source = await openDatabase(imported.folder)
      target = mkdtempSync(join(tmpdir(), 'statline-'))
      own = await openDatabase(target)
      const folder = folderOf(await filesOf(season), false)
      const summary = await importCsv(own, folder.path, silent, undefined, { league: leagues[season] })
      folder.remove()
      for (const table of [
        'game',
        'team',
        'membership',
        'boxscore',
        'player',
        'player_boxscore',
        'odds',
        'elo',
        'prediction',
        ...rankingClasses,
      ])
        expect([table, summary.rows[table]]).toEqual([table, imported.summary.rows[table]])
      const games = await source.db.selectFrom('game').select(['game_id', 'guid']).execute()
      ownGames = new Map(games.map((row) => [row.game_id ?? '', ownId('game', sourceId(row.guid))]))
      const rows = await source.db.selectFrom('team').select('team_id').execute()
      teams = rows.map((row) => row.team_id ?? '')
    }, 600_000)
    afterAll(async () => {
      await source.close()
      await own.close()
      rmSync(target, { recursive: true, force: true })
    })

    it('has the same rating after every game, and the same prediction of each', async () => {
      const ratings = (
        database: Database,
        game: (id: string | null) => string,
        team: (id: string | null) => string,
      ) =>
        database.db
          .selectFrom('elo')
          .select(['game_id', 'team_id', 'elo', 'current', 'date_of_entry'])
          .execute()
          .then((rows) =>
            rows
              .map((row) =>
                [game(row.game_id), team(row.team_id), row.elo, row.current, row.date_of_entry].join(' '),
              )
              .toSorted(),
          )
      const same = (id: string | null) => id ?? ''
      const ownGame = (id: string | null) => ownGames.get(id ?? '') ?? ''
      expect(await ratings(own, same, same)).toEqual(
        await ratings(source, ownGame, (id) => ownId('team', id)),
      )
      const predictions = async (database: Database, game: (id: string | null) => string) => {
        const rows = await database.db.selectFrom('prediction').selectAll().execute()
        return rows
          .map((row) =>
            [game(row.game_id), row.home_percentage, row.home_score, row.away_score, row.date_of_entry].join(
              ' ',
            ),
          )
          .toSorted()
      }
      expect(await predictions(own, same)).toEqual(await predictions(source, ownGame))
    })

    it('has the same statistics of every team on every day, ranks included', async () => {
      const lines = (database: Database, team: string) =>
        database.db
          .selectFrom('statistic_ranking')
          .select(['date_of_rank', 'current', 'line'])
          .where('team_id', '=', team)
          .orderBy('date_of_rank')
          .execute()
      for (const team of teams)
        expect(await lines(own, ownId('team', team))).toEqual(await lines(source, team))
    })

    it.each(rankingClasses.filter((kind) => kind !== 'statistic_ranking'))(
      'has the same %s',
      async (kind) => {
        const lines = async (database: Database) => {
          const rows = await database.db
            .selectFrom<keyof Schema>(kind)
            .select(['date_of_rank', 'current', 'line'])
            .execute()
          return rows.map((row) => JSON.stringify(row)).toSorted()
        }
        expect(await lines(own)).toEqual(await lines(source))
      },
    )
  })
})

/** The files of the page’s example, by name. */
function exampleOf(text: string): Record<string, string> {
  const blocks = text.matchAll(/`(\w+)\.csv`[^\n]*\n\n```csv\n([^`]+)```/g)
  return Object.fromEntries(Array.from(blocks, ([, name = '', content = '']) => [name, content]))
}

describe('the example of the page', () => {
  it('imports as it is printed: another league, by the constants of its file', async () => {
    const files = exampleOf(readFileSync(page, 'utf8'))
    expect(Object.keys(files).toSorted()).toEqual([
      'games',
      'odds',
      'player_boxscores',
      'players',
      'team_boxscores',
      'teams',
    ])
    const database = await openDatabase(':memory:')
    const folder = folderOf(files, false)
    const summary = await importCsv(database, folder.path, silent, undefined, { league: 'nba' })
    expect(summary.rows).toMatchObject({
      team: 2,
      game: 2,
      boxscore: 2,
      player_boxscore: 2,
      odds: 1,
      prediction: 2,
    })
    const rows = await database.db
      .selectFrom('statistic_ranking')
      .innerJoin('team', 'team.team_id', 'statistic_ranking.team_id')
      .select(['char6', 'line'])
      .where('current', '=', 1)
      .execute()
    const boston = rows.find((row) => row.char6 === 'BOS')
    const line = JSON.parse(boston?.line ?? '{}') as Record<string, number>
    // 88 − 10 + 12 + 0.44 × 20 and 90 − 8 + 14 + 0.44 × 25, in 48 minutes of five players
    expect([line['possessions'], line['opponent_possessions'], line['pace']]).toEqual([98.8, 107, 102.9])
    const [league] = await database.db.selectFrom('organization').select(['code', 'name']).execute()
    expect(league).toEqual({ code: 'NBA', name: 'National Basketball Association' })
    await database.close()
    folder.remove()
  })
})

describe('a fault of the own format', () => {
  const files = exampleOf(readFileSync(page, 'utf8'))
  const changed = (name: string, from: string, to: string) => {
    const text = (files[name] ?? '').replace(from, to)
    if (text === files[name]) throw new Error(`${name} has no ${from}`)
    return { ...files, [name]: text }
  }
  const cases: [string, Record<string, string>, string | undefined, RegExp][] = [
    [
      'a score of 300',
      changed('games', ',110,', ',300,'),
      'nba',
      /^games\.csv row 1: home_score is not a score from 0 to 250: "300"$/,
    ],
    [
      'a team that is not there',
      changed('games', ',NYK,BOS,', ',NYK,LAL,'),
      'nba',
      /^games\.csv row 2: away_team_id is not in teams: "LAL"$/,
    ],
    [
      'a game twice',
      changed('games', '\n2,', '\n1,'),
      'nba',
      /^games\.csv row 2: game_id is there twice, first in row 1: "1"$/,
    ],
    ['no league', files, undefined, /^import csv takes --league, one of mens-college-basketball/],
    ['a league that nobody knows', files, 'cricket', /^import csv takes --league/],
  ]
  it.each(cases)('%s: one line, and nothing is written', async (_name, broken, league, message) => {
    const database = await openDatabase(':memory:')
    const folder = folderOf(broken, false)
    const failure: unknown = await importCsv(
      database,
      folder.path,
      silent,
      undefined,
      league ? { league } : {},
    ).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ImportFailed)
    expect((failure as ImportFailed).message).toMatch(message) // by the line above
    expect(await database.db.selectFrom('game').selectAll().execute()).toEqual([])
    await database.close()
    folder.remove()
  })
})
