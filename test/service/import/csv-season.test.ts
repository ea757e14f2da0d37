import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { ImportFailed } from '../../../src/service/import/faults.ts'
import { importCsv } from '../../../src/service/import/csv-season.ts'
import type { ImportOptions } from '../../../src/service/import/season.ts'
import { summaryLines } from '../../../src/service/import/summary.ts'
import { openDatabase } from '../../../src/service/store/database.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { folderOf } from './small-source.ts'
import type { SourceFolder } from './small-source.ts'

const silent = () => {}
const page = join(import.meta.dirname, '../../../docs/csv-format.md')

/** The files of the page’s example, by name. */
function exampleOf(text: string): Record<string, string> {
  const blocks = text.matchAll(/`(\w+)\.csv`[^\n]*\n\n```csv\n([^`]+)```/g)
  return Object.fromEntries(Array.from(blocks, ([, name = '', content = '']) => [name, content]))
}

const example = exampleOf(readFileSync(page, 'utf8'))

const opened: { database: Database; folder: SourceFolder }[] = []

afterEach(async () => {
  for (const { database, folder } of opened.splice(0)) {
    await database.close()
    folder.remove()
  }
})

const changed = (name: string, from: string, to: string) => {
  const text = (example[name] ?? '').replace(from, to)
  if (text === example[name]) throw new Error(`${name} has no ${from}`)
  return { ...example, [name]: text }
}

/** A database with a season, and the summary of its import. */
async function imported(files: Readonly<Record<string, string | Uint8Array>>, options: ImportOptions = {}) {
  const [database, folder] = [await openDatabase(':memory:'), folderOf(files, false)]
  opened.push({ database, folder })
  const summary = await importCsv(database, folder.path, silent, undefined, { league: 'nba', ...options })
  return { database, text: summaryLines(summary).join('\n') }
}

describe('the example of the page', () => {
  it('imports as it is printed: another league, by the constants of its file', async () => {
    expect(Object.keys(example).toSorted()).toEqual([
      'games',
      'odds',
      'player_boxscores',
      'players',
      'team_boxscores',
      'teams',
    ])
    const database = await openDatabase(':memory:')
    const folder = folderOf(example, false)
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

it('seasons that number their games alike stand side by side', async () => {
  const database = await openDatabase(':memory:')
  const folders = [2027, 2026, 2025, 2026].map((season) => {
    const shifted = (text: string) =>
      text
        .replaceAll(/\b(2025|2026)-/g, (_, year: string) => `${Number(year) + season - 2026}-`)
        .replaceAll(',2026,', `,${season},`)
    return folderOf(
      Object.fromEntries(Object.entries(example).map(([name, text]) => [name, shifted(text)])),
      false,
    )
  })
  for (const folder of folders) {
    await importCsv(database, folder.path, silent, undefined, { league: 'nba' })
    folder.remove()
  }
  const seasons = await database.db.selectFrom('game').select(['season', 'guid']).orderBy('season').execute()
  expect(seasons.map(({ season, guid }) => `${season} ${guid}`)).toEqual(
    [2025, 2026, 2027].flatMap((season) => [`${season} csv/games/1`, `${season} csv/games/2`]),
  )
  expect(await database.db.selectFrom('player_boxscore').select('season').execute()).toHaveLength(6)
  await database.close()
})

describe('the season that is asked for', () => {
  const earlier = (example['games'] ?? '').replaceAll(/\b(2025|2026)\b/g, (year) => `${Number(year) - 1}`)

  it('is that of the file with its year, beside one without', async () => {
    const { database, text } = await imported({ ...example, games_2025: earlier }, { season: 2025 })
    expect(text).toContain('Imported csv, season 2025')
    const games = await database.db.selectFrom('game').select(['season', 'start_date']).execute()
    expect(games).toEqual([
      { season: 2025, start_date: '2024-10-24T00:00:00.000Z' },
      { season: 2025, start_date: '2025-01-15T00:00:00.000Z' },
    ])
  })

  it('is refused where the files have another', async () => {
    await expect(imported(example, { season: 2030 })).rejects.toThrow(
      /^games\.csv row 1: season is 2026, and 2030 in --season$/m,
    )
  })
})

describe('a fault of the own format', () => {
  type Case = [string, Record<string, string>, string | undefined, RegExp]
  const cases: Case[] = [
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
    [
      'a player of a team that is not there',
      changed('players', ',BOS,', ',LAL,'),
      'nba',
      /^players\.csv row 1: team_id is not in teams: "LAL"$/,
    ],
    [
      'a boxscore of a team that does not play in the game',
      changed('team_boxscores', '1,NYK', '1,LAL'),
      'nba',
      /^team_boxscores\.csv row \d: team_id does not play in game "1": "LAL"$/,
    ],
    [
      'fewer than no field goals',
      { ...example, team_boxscores: 'game_id,team_id,field_goal\n1,BOS,-3\n' },
      'nba',
      /^team_boxscores\.csv row 1: field_goal is below zero: -3$/,
    ],
    [
      'more field goals than tries',
      { ...example, team_boxscores: 'game_id,team_id,field_goal,field_goal_attempts\n1,BOS,9,8\n' },
      'nba',
      /^team_boxscores\.csv row 1: field_goal is more than field_goal_attempts: 9 of 8$/,
    ],
    [
      'a row that is too short',
      changed('games', ',110,104', ',110'),
      'nba',
      /^games\.csv row 1 has 6 cells, and the header 7$/,
    ],
    [
      'a date twice, written in two ways',
      { ...example, odds: 'game_id,date,over\n2,2026-01-10,224.5\n2,01/10/2026,225.5\n' },
      'nba',
      /^odds\.csv row 2: game_id is there twice, first in row 1: "2 01\/10\/2026"$/,
    ],
    [
      'half a field goal',
      { ...example, team_boxscores: 'game_id,team_id,field_goal\n1,BOS,2.5\n' },
      'nba',
      /^team_boxscores\.csv row 1: field_goal is not whole: 2.5$/,
    ],
    [
      'more points than a number holds when they are added up',
      { ...example, team_boxscores: 'game_id,team_id,assists\n1,BOS,1e308\n' },
      'nba',
      /^team_boxscores\.csv row 1: assists is too large: "1e308"$/,
    ],
    [
      'more threes than field goals',
      { ...example, team_boxscores: 'game_id,team_id,field_goal,three_point_field_goal\n1,BOS,3,5\n' },
      'nba',
      /^team_boxscores\.csv row 1: three_point_field_goal is more than field_goal: 5 of 3$/,
    ],
    ...['12345.5', '-7', '99999999999'].map((attendance): Case => [
      `an attendance of ${attendance}`,
      {
        ...example,
        games: (example['games'] ?? '')
          .replace('score\n', 'score,attendance\n')
          .replace('104\n', `104,${attendance}\n`)
          .replace(',,\n', ',,,\n'),
      },
      'nba',
      /^games\.csv row 1: attendance is (not a whole number from 0 to 500000|too large): "[-\d.]+"$/,
    ]),
    ...['-3', '2.5', '1e300'].map((games): Case => [
      `${games} games of a player`,
      { ...example, players: `player_id,team_id,name,games\njb7,BOS,Jaylen Brown,${games}\n` },
      'nba',
      /^players\.csv row 1: games is (not a whole number from 0 to 400|too large): "[-\de.]+"$/,
    ]),
    ['no league', example, undefined, /^import csv takes --league, one of mens-college-basketball/],
    ['a league that nobody knows', example, 'cricket', /^import csv takes --league/],
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

describe('a line without a date', () => {
  const lines = async (text: string) => {
    const { database } = await imported({ ...example, odds: `game_id,date,spread_home\n${text}` })
    const rows = await database.db.selectFrom('odds').selectAll().orderBy('date_of_entry').execute()
    return rows.map((row) => [row.spread_home, row.date_of_entry, row.current])
  }

  it('is current, and the last one, beside lines of the same day', async () => {
    expect(await lines('2,,-4\n2,2026-01-15T18:00Z,-3\n2,2026-01-14,-2\n')).toEqual([
      [-2, '2026-01-14T00:00:00.000Z', 0],
      [-3, '2026-01-15T18:00:00.000Z', 0],
      [-4, '2026-01-15T18:00:01.000Z', 1],
    ])
  })

  it('is dated by the start, or by the day of its game', async () => {
    expect(await lines('1,,-4\n1,2025-10-23,-3\n2,,-5\n')).toEqual([
      [-3, '2025-10-23T00:00:00.000Z', 0],
      [-4, '2025-10-24T23:30:00.000Z', 1],
      [-5, '2026-01-15T00:00:00.000Z', 1],
    ])
  })
})

describe('a text that is not plain', () => {
  const teams = (row: string) => `team_id,name,full_name,abbreviation,conference\n${row}\nNYK,New York,,,\n`
  const named = async (row: string) => {
    const { database } = await imported({ ...example, teams: teams(row) })
    const [team] = await database.db
      .selectFrom('team')
      .select(['char6', 'code'])
      .where('name', '!=', 'New York')
      .execute()
    const [conference] = await database.db.selectFrom('conference').select('code').execute()
    return [team?.char6, team?.code, conference?.code]
  }

  it('makes codes by its plain letters, and those of the id where it has none', async () => {
    expect(await named('BOS,Córdoba,,,Ñandú')).toEqual(['CORDOB', 'cordoba', 'nandu'])
    expect(await named('BOS,ボストン,,,East')).toEqual(['BOS', 'bos', 'east'])
    expect(await named('BOS,ボストン,,ボ,東')).toEqual(['BOS', 'bos', expect.stringMatching(/^[0-9a-f]{8}$/)])
  })

  it('is refused with its row where it is not UTF-8', async () => {
    const latin = Buffer.from(teams('BOS,Böston,,,'), 'latin1')
    await expect(imported({ ...example, teams: latin })).rejects.toThrow(
      /^teams\.csv row 1: name is not UTF-8: "B\ufffdston"$/,
    )
  })
})

it('ids with a slash are not taken for others', async () => {
  const { database } = await imported({
    teams: 'team_id,name\nA/B,One\nB,Two\nC,Three\n',
    games: [
      'game_id,season,date,home_team_id,away_team_id,home_score,away_score',
      '1,2026,2026-01-10,A/B,C,80,70',
      '1/A,2026,2026-01-11,B,C,80,70',
      '',
    ].join('\n'),
    team_boxscores: 'game_id,team_id,points\n1,A/B,80\n1/A,B,80\n',
  })
  expect(await database.db.selectFrom('boxscore').select('game_id').execute()).toHaveLength(2)
})

describe('the status of a game with a score', () => {
  const statusOf = async (word: string) => {
    const games = (example['games'] ?? '')
      .replace('score\n', 'score,status\n')
      .replace('104\n', `104,${word}\n`)
      .replace(',,\n', ',,,\n')
    const { database, text } = await imported({ ...example, games })
    const row = await database.db
      .selectFrom('game')
      .select(['status', 'home_score'])
      .orderBy('start_date')
      .executeTakeFirstOrThrow()
    return { row, text }
  }

  it.each(['Incomplete', 'End of 1st', '2nd 5:34', 'Q3', 'OT', '1st half ended'])(
    '%s: it is under way, without a result',
    async (word) => {
      expect((await statusOf(word)).row).toEqual({ status: 'scheduled', home_score: null })
    },
  )

  it.each(['Final', 'Final/OT', 'F', 'FT', 'Complete', 'finished', ''])('“%s”: it is final', async (word) => {
    const { row, text } = await statusOf(word)
    expect(row).toEqual({ status: 'final', home_score: 110 })
    expect(text).not.toContain('unknown status')
  })

  it('is named where it is unknown', async () => {
    const { row, text } = await statusOf('Gewonnen')
    expect(row).toEqual({ status: 'final', home_score: 110 })
    expect(text).toMatch(
      /warnings\n.*1 {2}games with a score and an unknown status: "Gewonnen": read as final/,
    )
  })
})

it('a game that stands twice under two ids is named in a warning', async () => {
  const [head, first = '', ...rest] = (example['games'] ?? '').split('\n')
  const copy = first.replace(/^[^,]*/, 'again')
  const { text } = await imported({ ...example, games: [head, first, copy, ...rest].join('\n') })
  expect(text).toMatch(
    /warnings\n(.*\n)*.*1 {2}games that stand twice under two ids: .* as ".*", "again": each is/,
  )
})

it('heights are feet and inches, or null with a warning', async () => {
  const heights = ['6-4', `6'4""`, '6’11”', '5 ft 9 in', `7'`, '193 cm', '6-14', '']
  const rows = heights.map((height, nth) => `p${nth},BOS,Player ${nth},"${height}"\n`)
  const players = `player_id,team_id,name,height\n${rows.join('')}`
  const { database, text } = await imported({
    ...example,
    players,
    player_boxscores: 'game_id,team_id,player_id\n',
  })
  const stored = await database.db.selectFrom('player').select('height').orderBy('last_name').execute()
  expect(stored.map((row) => row.height)).toEqual(['6-4', '6-4', '6-11', '5-9', '7-0', null, null, null])
  expect(text).toMatch(/warnings\n.*2 {2}heights that are not feet and inches: "193 cm", "6-14": null/)
})
