import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCfbTables } from '../../../src/service/import/football-tables.ts'
import { cfbFacts } from '../../../src/service/import/football-facts.ts'
import { readLooks } from '../../../src/service/import/colours.ts'
import { ncaaFacts } from '../../../src/service/import/basketball-facts.ts'
import { readNcaaTables } from '../../../src/service/import/basketball-tables.ts'
import { importCsv } from '../../../src/service/import/csv-season.ts'
import { statisticClasses } from '../../../src/specification/tables.ts'
import { identify } from '../../../src/service/league/identity.ts'
import { openDatabase } from '../../../src/service/store/database.ts'
import type { Database } from '../../../src/service/store/database.ts'
import type { Schema } from '../../../src/service/store/schema.ts'
import { ownFormat, sourceId } from './csv-format.ts'
import { hasSeason, importedSeason, sourceFolder, withoutSeason } from './seasons.ts'
import type { RealSeason } from './seasons.ts'
import { folderOf } from './small-source.ts'

const silent = () => {}

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
        ...statisticClasses,
      ])
        expect([table, summary.rows[table]]).toEqual([table, imported.summary.rows[table]])
      const games = await source.db.selectFrom('game').select(['game_id', 'season', 'guid']).execute()
      ownGames = new Map(
        games.map((row) => [
          row.game_id ?? '',
          identify(`csv/${leagues[season]}`, 'game', row.season ?? 0, sourceId(row.guid)),
        ]),
      )
      const rows = await source.db.selectFrom('team').select('team_id').execute()
      teams = rows.map((row) => row.team_id ?? '')
    })
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

    it.each(statisticClasses.filter((kind) => kind !== 'statistic_ranking'))(
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
