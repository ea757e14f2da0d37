import { afterEach, describe, expect, it } from 'vitest'
import { importCfbfastr } from '../../../src/service/import/football.ts'
import { ImportFailed } from '../../../src/service/import/faults.ts'
import { importNcaaHoops } from '../../../src/service/import/basketball.ts'
import type { ImportOptions } from '../../../src/service/import/season.ts'
import { summaryLines } from '../../../src/service/import/summary.ts'
import { storedRules } from '../../../src/service/league/league-rules.ts'
import { openDatabase } from '../../../src/service/store/database.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { tableNames } from '../../../src/specification/tables.ts'
import type { Schema } from '../../../src/service/store/schema.ts'
import { folderOf, smallCfb, smallNcaa } from './small-source.ts'
import type { SourceFiles, SourceFolder } from './small-source.ts'

const opened: Database[] = []
const folders: SourceFolder[] = []

afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
  for (const folder of folders.splice(0)) folder.remove()
})

async function emptyDatabase(): Promise<Database> {
  const database = await openDatabase(':memory:')
  opened.push(database)
  return database
}

function folder(files: SourceFiles): string {
  const made = folderOf(files, false)
  folders.push(made)
  return made.path
}

const silent = () => {}

/**
 * The files with a text in one of them replaced. A replacement that changes nothing is a mistake in the test.
 */
function changed(
  files: SourceFiles,
  name: string,
  ...changes: (readonly [string | RegExp, string])[]
): SourceFiles {
  let text = files[name] ?? ''
  for (const [from, to] of changes) {
    const next = text.replace(from, to)
    if (next === text) throw new Error(`${name} has no ${String(from)}`)
    text = next
  }
  return { ...files, [name]: text }
}

const without = (files: SourceFiles, ...names: string[]): SourceFiles =>
  Object.fromEntries(Object.entries(files).filter(([name]) => !names.includes(name)))

async function ncaa(files: SourceFiles, options: ImportOptions = {}, into?: Database) {
  const database = into ?? (await emptyDatabase())
  const summary = await importNcaaHoops(database, folder(files), silent, undefined, options)
  return { database, summary, text: summaryLines(summary).join('\n') }
}

async function cfb(files: SourceFiles, into?: Database) {
  const database = into ?? (await emptyDatabase())
  const summary = await importCfbfastr(database, folder(files), silent)
  return { database, summary, text: summaryLines(summary).join('\n') }
}

const rowsOf = async <T extends keyof Schema>(database: Database, table: T) =>
  database.db.selectFrom<keyof Schema>(table).selectAll().execute()

/** Everything that an import fills or computes, but when it did. */
async function contents(database: Database): Promise<Record<string, string[]>> {
  const tables: (keyof Schema)[] = [...tableNames, 'membership', 'name_part', 'ranked_day']
  const found: Record<string, string[]> = {}
  for (const table of tables)
    found[table] = (await rowsOf(database, table)).map((row) => JSON.stringify(row)).toSorted()
  return found
}

const games = async (database: Database) => {
  const rows = await database.db.selectFrom('game').selectAll().orderBy('guid').execute()
  return rows.map((row) => [row.status, row.home_score, row.away_score])
}

/** A team’s wins, losses and games, as its current row has them. */
async function recordOf(database: Database, name: string) {
  const row = await database.db
    .selectFrom('statistic_ranking')
    .innerJoin('team', 'team.team_id', 'statistic_ranking.team_id')
    .select('line')
    .where('team.name', '=', name)
    .where('current', '=', 1)
    .executeTakeFirstOrThrow()
  const line = JSON.parse(row.line) as Record<string, number | null>
  return [line['wins'], line['losses'], line['total_games']]
}

describe('a fault of a source', () => {
  const row = (text: string) => `${text}\n`
  const cases: [string, SourceFiles, RegExp][] = [
    [
      'a score of half a point',
      changed(smallNcaa, 'schedule', ['90,50', '90.5,50']),
      /^schedule\.csv row 2: home_score is not a score from 0 to 250: "90\.5"$/,
    ],
    [
      'a score below zero',
      changed(smallNcaa, 'schedule', ['90,50', '90,-5']),
      /^schedule\.csv row 2: away_score is not a score from 0 to 250: "-5"$/,
    ],
    [
      'a score of three hundred',
      changed(smallNcaa, 'schedule', ['90,50', '300,50']),
      /^schedule\.csv row 2: home_score /,
    ],
    [
      'a day that no calendar has',
      changed(smallNcaa, 'schedule', ['11/05/2025,Bees', '02/30/2026,Bees']),
      /^schedule\.csv row 2: game_date is not a day: "02\/30\/2026"$/,
    ],
    [
      'an ISO day that no calendar has',
      changed(smallNcaa, 'schedule', ['11/05/2025,Bees', '2026-02-29,Bees']),
      /^schedule\.csv row 2: game_date is not a day: "2026-02-29"$/,
    ],
    [
      'a day of another decade',
      changed(smallNcaa, 'schedule', ['11/05/2025,Bees', '11/05/2052,Bees']),
      /^schedule\.csv row 2: game_date is not in season 2026: 2052-11-05$/,
    ],
    [
      'two seasons in one file',
      changed(smallNcaa, 'schedule', ['80,76,2026', '80,76,2025']),
      /^schedule\.csv row 3: season is 2025, and 2026 before in schedule\.csv$/,
    ],
    [
      'a file of another season',
      changed(smallNcaa, 'team_rosters', ['2026,12', '2024,12']),
      /^team_rosters\.csv row 2: season is 2024, and 2026 before in schedule\.csv$/,
    ],
    [
      'a season that is no year',
      changed(smallNcaa, 'schedule', ['80,76,2026', '80,76,last']),
      /^schedule\.csv row 3: season is not a year: "last"$/,
    ],
    [
      'a game twice',
      changed(smallNcaa, 'schedule', [/3,11/, '2,11']),
      /^schedule\.csv row 3: contest_id is there twice, first in row 2: "2"$/,
    ],
    [
      'a boxscore twice',
      changed(smallNcaa, 'team_box', [/(Ants,Bees,Ants.*\n)/, '$1$1']),
      /^team_box\.csv row 2: contest_id is there twice, first in row 1: "1 Ants"$/,
    ],
    [
      'a team twice',
      changed(smallNcaa, 'team_ids', ['Bees,', 'Ants,']),
      /^team_ids\.csv row 2: team is there twice/,
    ],
    [
      'a team against itself',
      changed(smallNcaa, 'schedule', ['Cats,Ants', 'Cats,Cats']),
      /^schedule\.csv row 3: away is the home team: "Cats"$/,
    ],
    [
      'a boxscore with half points',
      changed(smallNcaa, 'team_box', ['39.8,70', '39.8,70.5']),
      /^team_box\.csv row 1: pts is not a score/,
    ],
    [
      'a cell too many',
      changed(smallNcaa, 'schedule', ['90,50,2026', '90,50,2026,x']),
      /^schedule\.csv row 2 has 8 cells, and the header 7$/,
    ],
    [
      'a spelling of two teams',
      { ...smallNcaa, aliases: 'alias,team\nNobody College,Cats\nNobody College,Ants\n' },
      /^aliases\.csv row 2: alias is there twice, first in row 1: "Nobody College"$/,
    ],
    [
      'no team',
      changed(smallNcaa, 'schedule', ['Cats,Ants', ',Ants']),
      /^schedule\.csv row 3: home is empty$/,
    ],
  ]

  it.each(cases)(
    'of basketball, %s, is one line with file, row and column',
    async (_name, files, message) => {
      const { database } = await ncaa(smallNcaa)
      const before = await contents(database)
      const failure: unknown = await ncaa(files, {}, database).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ImportFailed)
      const { message: line } = failure as ImportFailed // by the line above
      expect(line).toMatch(message)
      expect(line).not.toContain('\n')
      expect(await contents(database)).toEqual(before)
    },
  )

  const football: [string, SourceFiles, RegExp][] = [
    [
      'a word for a flag',
      changed(smallCfb, 'schedule', ['Z,false', 'Z,perhaps']),
      /^schedule\.csv row 1: neutral_site is neither true nor false: "perhaps"$/,
    ],
    [
      'a line twice',
      changed(smallCfb, 'betting', ['78,2.5', '77,2.5']),
      /^betting\.csv row 2: game_id is there twice, first in row 1: "77"$/,
    ],
    [
      'a time that no clock has',
      changed(smallCfb, 'schedule', ['T02:30Z', 'T25:30Z']),
      /^schedule\.csv row 1: game_date is not a day/,
    ],
    [
      'a team against itself',
      changed(smallCfb, 'schedule', ['true,1,2', 'true,1,1']),
      /^schedule\.csv row 1: away_id is the home team: "1"$/,
    ],
    [
      'a score of 251',
      changed(smallCfb, 'schedule', ['17,20', '17,251']),
      /^schedule\.csv row 1: away_score is not a score from 0 to 250: "251"$/,
    ],
    [
      'a boxscore of a team that is not in the game',
      changed(smallCfb, 'team_box', ['77,2,', '77,3,']),
      /^team_box\.csv row 2: team_id does not play in game "77": "3"$/,
    ],
    [
      'a player of a team that is not in the game',
      changed(smallCfb, 'player_box', [/,5,Al Arm,,1,/, ',5,Al Arm,,9,']),
      /^player_box\.csv row 1: team_id does not play in game "77": "9"$/,
    ],
    [
      'a boxscore twice',
      {
        ...smallCfb,
        team_box: `${smallCfb['team_box']}${row('77,2,18,4-13,1-1,200,18-30,100,28,3-20,0,1,28:55')}`,
      },
      /^team_box\.csv row 3: game_id is there twice, first in row 2: "77 2"$/,
    ],
  ]

  it.each(football)(
    'of football, %s, is one line with file, row and column',
    async (_name, files, message) => {
      const database = await emptyDatabase()
      const failure: unknown = await cfb(files, database).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ImportFailed)
      expect((failure as ImportFailed).message).toMatch(message) // by the line above
      expect(await rowsOf(database, 'game')).toEqual([])
    },
  )
})

describe('several faults of a source', () => {
  const failing = async (files: SourceFiles): Promise<string[]> => {
    const failure = await ncaa(files).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ImportFailed)
    return (failure as ImportFailed).message.split('\n') // by the line above
  }

  it('are told together, one line each', async () => {
    const files = changed(
      smallNcaa,
      'schedule',
      ['2,11/05/2025,Bees,Nobody College,90', '2,11/05/2025,Bees,Nobody College,251'],
      ['3,11/05/2025,Cats', '3,02/30/2026,Cats'],
    )
    expect(await failing(files)).toEqual([
      'schedule.csv row 2: home_score is not a score from 0 to 250: "251"',
      'schedule.csv row 3: game_date is not a day: "02/30/2026"',
    ])
  })

  it('are told up to twenty', async () => {
    const rows = Array.from({ length: 30 }, (_, nth) => `9${nth},12/10/2025,Ants,Ants,60,70,2026\n`)
    const lines = await failing({ ...smallNcaa, schedule: `${smallNcaa['schedule']}${rows.join('')}` })
    expect(lines).toHaveLength(21)
    expect(lines.at(-1)).toBe('schedule.csv: reading ended after 20 faults')
  })
})

describe('an import takes', () => {
  it('the word NA for nothing', async () => {
    const files = changed(smallNcaa, 'team_rosters', [',6-2,,1', ',6-2,NA,NA'], ['5,,6-2', '5,NA,6-2'])
    const { database } = await ncaa(changed(files, 'schedule', ['80,76', 'NA,NA']))
    const players = await database.db.selectFrom('player').selectAll().orderBy('guid').execute()
    expect(players[1]).toMatchObject({ position: null, hometown: null })
    expect((await games(database))[2]).toEqual(['scheduled', null, null])
  })

  it('days as ISO has them, and their time where they have one', async () => {
    const files = changed(
      smallNcaa,
      'schedule',
      ['11/03/2025', '2025-11-03'],
      ['11/05/2025', '2025-11-06T01:00Z'],
    )
    const { database } = await ncaa(files)
    const rows = await database.db
      .selectFrom('game')
      .select(['start_date', 'start_datetime'])
      .orderBy('guid')
      .execute()
    expect(rows.slice(0, 2)).toEqual([
      { start_date: '2025-11-03T00:00:00.000Z', start_datetime: null },
      { start_date: '2025-11-05T00:00:00.000Z', start_datetime: '2025-11-06T01:00:00.000Z' },
    ])
  })

  it('a schedule alone, and then the rest', async () => {
    const { database } = await ncaa(without(smallNcaa, 'team_box', 'team_ids', 'team_rosters'))
    expect(await games(database)).toEqual([
      ['final', 60, 70],
      ['final', 90, 50],
      ['final', 80, 76],
    ])
    expect(await rowsOf(database, 'membership')).toHaveLength(4)
    const again = await ncaa(smallNcaa, {}, database)
    expect(await contents(again.database)).toEqual(await contents((await ncaa(smallNcaa)).database))
  })

  it('football without boxscores, players and lines', async () => {
    const { database, summary } = await cfb(without(smallCfb, 'team_box', 'player_box', 'betting'))
    expect(summary.rows).toMatchObject({ game: 2, boxscore: 0, odds: 0, player: 0, prediction: 2 })
    expect(await recordOf(database, 'Ants Ant')).toEqual([0, 1, 2])
  })

  it('files that lack columns which are not needed', async () => {
    const files = changed(smallCfb, 'team_box', [/firstDowns/, 'somethingElse'], [/possessionTime/, 'clock'])
    const { database } = await cfb(
      changed(files, 'schedule', ['attendance', 'crowd'], ['neutral_site', 'place']),
    )
    const boxes = await database.db.selectFrom('boxscore').select('line').execute()
    for (const { line } of boxes)
      expect(JSON.parse(line)).toMatchObject({ first_downs: null, time_of_possession_seconds: null })
    const places = await database.db.selectFrom('game').select('neutral_site').execute()
    expect(places).toEqual([{ neutral_site: null }, { neutral_site: null }])
  })

  it('unknown categories of players', async () => {
    const { text, database } = await cfb(changed(smallCfb, 'player_box', ['kicking', 'juggling']))
    expect(text).toContain('1  player rows of unknown categories: juggling: left out')
    expect(await rowsOf(database, 'player')).toHaveLength(2)
  })

  it('a player’s row that is there twice as one', async () => {
    const { database, text } = await cfb(changed(smallCfb, 'player_box', [/(,+receiving,6.*\n)/, '$1$1']))
    const once = await cfb(smallCfb)
    expect(text).toContain('1  rows that player_box.csv has twice: the first counts')
    expect(await rowsOf(database, 'player_boxscore')).toEqual(await rowsOf(once.database, 'player_boxscore'))
    expect(await rowsOf(database, 'boxscore')).toEqual(await rowsOf(once.database, 'boxscore'))
  })

  it.each([
    ['TRUE', 'FALSE'],
    ['True', 'False'],
    ['1', '0'],
    ['t', 'f'],
  ])('%s and %s for true and false', async (yes, no) => {
    const spelled = (text: string) => text.replaceAll(/\btrue\b/g, yes).replaceAll(/\bfalse\b/g, no)
    const files = {
      ...smallCfb,
      schedule: spelled(smallCfb['schedule'] ?? ''),
      betting: spelled(smallCfb['betting'] ?? ''),
    }
    const [one, other] = [await cfb(files), await cfb(smallCfb)]
    expect(await contents(one.database)).toEqual(await contents(other.database))
    expect(await rowsOf(one.database, 'odds')).toHaveLength(1)
  })

  it('rows in any order', async () => {
    const shuffled = (text: string) => {
      const [header = '', ...rows] = text.trimEnd().split('\n')
      return [header, ...rows.toReversed(), ''].join('\n')
    }
    const turned = Object.fromEntries(Object.entries(smallNcaa).map(([name, text]) => [name, shuffled(text)]))
    expect(await contents((await ncaa(turned)).database)).toEqual(
      await contents((await ncaa(smallNcaa)).database),
    )
  })
})

describe('a game that has not been played', () => {
  it.each([
    ['has no score', ['80,76', ',']],
    ['has a score on one side', ['80,76', '80,']],
  ] as const)('%s: scheduled, predicted and still to count', async (_name, change) => {
    const { database } = await ncaa(changed(smallNcaa, 'schedule', change))
    expect((await games(database))[2]).toEqual(['scheduled', null, null])
    expect(await rowsOf(database, 'prediction')).toHaveLength(3)
    expect(await rowsOf(database, 'boxscore')).toHaveLength(4)
    expect(await recordOf(database, 'Ants')).toEqual([1, 0, 2])
    await ncaa(smallNcaa, {}, database)
    expect(await contents(database)).toEqual(await contents((await ncaa(smallNcaa)).database))
  })

  it('stands at 0–0 without a boxscore', async () => {
    const boxless = changed(smallNcaa, 'team_box', [/Cats.*\n/, ''], [/Cats.*\n/, ''])
    const { database } = await ncaa(changed(boxless, 'schedule', ['80,76', '0,0']))
    expect((await games(database))[2]).toEqual(['scheduled', null, null])
    const football = await cfb(changed(without(smallCfb, 'team_box'), 'schedule', ['17,20', '0,0']))
    expect((await games(football.database))[0]).toEqual(['scheduled', null, null])
  })

  it('has the boxscores’ score where the schedule has 0–0', async () => {
    const { database, text } = await ncaa(changed(smallNcaa, 'schedule', ['80,76', '0,0']))
    expect(await games(database)).toContainEqual(['final', 80, 74])
    expect(text).toContain('1  games at 0–0 in the schedule that have boxscores')
  })

  it('is not one that ended in a draw, which a warning names', async () => {
    const { database, text } = await cfb(changed(smallCfb, 'schedule', ['17,20', '20,20']))
    expect(await games(database)).toContainEqual(['final', 20, 20])
    expect(text).toMatch(/warnings\n.*1 {2}games that ended in a draw/)
  })

  it('stands twice under two ids, which a warning names', async () => {
    const copied = await ncaa(
      changed(smallNcaa, 'schedule', ['3,11/05/2025', '4,11/05/2025,Ants,Cats,76,80,2026\n3,11/05/2025']),
    )
    expect(await games(copied.database)).toHaveLength(4)
    expect(copied.text).toMatch(
      /warnings\n(.*\n)*.*1 {2}games that stand twice under two ids: "2025-11-05 – Ants 76 – Cats 80" as "4", "3": each is counted/,
    )
    const row = smallCfb['schedule']?.split('\n').find((line) => line.includes('17,20')) ?? ''
    const football = await cfb(changed(smallCfb, 'schedule', [row, `${row}\n${row.replace('77', '79')}`]))
    expect(football.text).toMatch(/warnings\n(.*\n)*.*1 {2}games that stand twice under two ids: /)
    expect((await ncaa(smallNcaa)).text).not.toContain('stand twice')
  })

  it('is postponed, and still to be played', async () => {
    const { database, text } = await ncaa(changed(smallNcaa, 'schedule', ['80,76', 'Ppd,Ppd']))
    expect((await games(database))[2]).toEqual(['postponed', null, null])
    expect(await recordOf(database, 'Ants')).toEqual([1, 0, 2])
    expect(await rowsOf(database, 'prediction')).toHaveLength(3)
    expect(text).toContain('1  games postponed: still to be played')
  })

  it('is canceled, and none of a team’s games', async () => {
    const files = changed(smallCfb, 'schedule', ['STATUS_SCHEDULED', 'STATUS_CANCELED'])
    const { database, text } = await cfb(files)
    expect(await games(database)).toEqual([
      ['final', 17, 20],
      ['canceled', null, null],
    ])
    expect(await recordOf(database, 'Ants Ant')).toEqual([0, 1, 1])
    expect(await rowsOf(database, 'prediction')).toHaveLength(1)
    expect(text).toContain('1  games canceled: neither predicted nor counted')
  })
})

describe('one team under two spellings', () => {
  const spelled = (name: string, other: string) => ({
    ...smallNcaa,
    team_ids: (smallNcaa['team_ids'] ?? '').replace('Cats', name),
    schedule: (smallNcaa['schedule'] ?? '').replaceAll('Cats', other),
    team_box: (smallNcaa['team_box'] ?? '').replaceAll('Cats', other).replaceAll('13,103', ','),
  })

  it('is named as a member without a game', async () => {
    const { text } = await ncaa(spelled('Cats', 'Katzen'))
    expect(text).toMatch(/warnings\n +1 {2}members of the division without a game: Cats: /)
  })

  it('is named as an outsider with many games', async () => {
    const row = (nth: number) => `9${nth},12/${10 + nth}/2025,Katzen,Bees,60,70,2026\n`
    const rows = Array.from({ length: 15 }, (_, nth) => row(nth)).join('')
    const { text } = await ncaa({ ...smallNcaa, schedule: `${smallNcaa['schedule']}${rows}` })
    expect(text).toMatch(/outsiders with 15 games and more: Katzen: /)
    const fewer = await ncaa({
      ...smallNcaa,
      schedule: `${smallNcaa['schedule']}${rows.replace(row(0), '')}`,
    })
    expect(fewer.text).not.toContain('outsiders with 15')
  })

  it('is one by a file of aliases', async () => {
    const files = { ...spelled('Cats', 'Katzen'), aliases: 'alias,team\nKatzen,Cats\n' }
    const { database, text } = await ncaa(files)
    expect(text).toContain('1  spellings of teams: Katzen = Cats: read as the division’s list has them')
    expect(text).not.toContain('without a game')
    expect(await rowsOf(database, 'team')).toHaveLength(4)
    expect(await recordOf(database, 'Cats')).toEqual([1, 0, 1])
  })

  it.each([
    ['FDU', 'Fairleigh Dickinson'],
    ['Fairleigh Dickinson', 'FDU'],
    ['Little Rock', 'UALR'],
  ])('is one by itself where it is known: %s and %s', async (name, other) => {
    const { database, text } = await ncaa(spelled(name, other))
    expect(text).toContain(`spellings of teams: ${other} = ${name}`)
    expect(await recordOf(database, name)).toEqual([1, 0, 1])
  })

  it('is one where the boxscores have the member’s id', async () => {
    const files = {
      ...spelled('Cats', 'Katzen'),
      team_box: (smallNcaa['team_box'] ?? '').replaceAll('Cats', 'Katzen'),
    }
    expect(await recordOf((await ncaa(files)).database, 'Cats')).toEqual([1, 0, 1])
  })
})

describe('boxscores that contradict the schedule', () => {
  /** A hundred games, of which some have a boxscore with other points. */
  function season(contradicting: number): SourceFiles {
    const [header = '', first = ''] = (smallNcaa['team_box'] ?? '').split('\n')
    const box = (nth: number, team: string, points: number) =>
      first
        .replace('Ants,Bees,Ants', `Ants,Bees,${team}`)
        .replace('39.8,70', `39.8,${points}`)
        .replace(/,1,11,101$/, `,${nth},${team === 'Ants' ? '11,101' : '12,102'}`)
    const nths = Array.from({ length: 100 }, (_, nth) => nth + 1)
    const day = (nth: number) => `2025-${nth > 50 ? '12' : '11'}-${String(1 + (nth % 28)).padStart(2, '0')}`
    return {
      ...smallNcaa,
      schedule: [
        'contest_id,game_date,home,away,home_score,away_score,season',
        ...nths.map((nth) => `${nth},${day(nth)},Ants,Bees,70,60,2026`),
        '',
      ].join('\n'),
      team_box: [
        header,
        ...nths.flatMap((nth) => [box(nth, 'Ants', nth <= contradicting ? 50 : 70), box(nth, 'Bees', 60)]),
        '',
      ].join('\n'),
    }
  }

  async function points(database: Database) {
    const rows = await database.db
      .selectFrom('statistic_ranking')
      .innerJoin('team', 'team.team_id', 'statistic_ranking.team_id')
      .select('line')
      .where('name', '=', 'Ants')
      .where('current', '=', 1)
      .execute()
    return rows.map(({ line }) => {
      const all = JSON.parse(line) as Record<string, number | null>
      return [all['wins'], all['win_margin'], all['points'], all['possessions']]
    })
  }

  it('in up to 2 % of the games are averaged', async () => {
    const { database, text } = await ncaa(season(2))
    expect(await points(database)).toEqual([[100, 10, 69.6, expect.any(Number)]])
    expect(text).not.toContain('warnings\n        2  games whose')
  })

  it('in more are not, and a warning says so', async () => {
    const { database, text } = await ncaa(season(3))
    expect(await points(database)).toEqual([[100, 10, null, null]])
    expect(text).toMatch(/3 {2}games whose boxscore contradicts the schedule, of 100: more than 2 %/)
  })
})

describe('a league of its own', () => {
  it('stands beside the source’s usual one, with its own ids and name', async () => {
    const { database } = await ncaa(smallNcaa)
    const before = await contents(database)
    const women = await ncaa(smallNcaa, { league: 'womens-college-basketball' }, database)
    expect(before['organization']?.join('')).not.toContain(women.summary.organization_id)
    const names = await database.db.selectFrom('organization').select('name').orderBy('name').execute()
    expect(names.map((row) => row.name)).toEqual(['College Basketball', 'Women’s College Basketball'])
    expect(await rowsOf(database, 'game')).toHaveLength(6)
    expect(await rowsOf(database, 'team')).toHaveLength(8)
    const after = await contents(database)
    for (const [table, rows] of Object.entries(before))
      expect(after[table]).toEqual(expect.arrayContaining(rows))
  })

  it('has the constants of its file, also for what is computed later', async () => {
    const { database, summary } = await ncaa(smallNcaa, { league: 'nba' })
    expect(await storedRules(database.db, summary)).toMatchObject({ minutes: 48, sport: 'basketball' })
    const usual = await ncaa(smallNcaa, { league: 'somebody' })
    expect(await storedRules(usual.database.db, usual.summary)).toMatchObject({ minutes: 40 })
  })

  it('may have any name', async () => {
    const { database } = await ncaa(smallNcaa, { league: 'my-league' })
    const [row] = await database.db.selectFrom('organization').select(['code', 'name']).execute()
    expect(row).toEqual({ code: 'MY-LEAGUE', name: 'My League' })
  })

  it('plays the sport of its source', async () => {
    await expect(ncaa(smallNcaa, { league: 'college-football' })).rejects.toThrow(
      /^ncaa-hoops has basketball, and college-football is a league of football$/,
    )
  })
})

describe('the conferences of football', () => {
  it('come from a file, and are refused by name without one', async () => {
    const named = await cfb({ ...smallCfb, conferences: 'team_id,conference\n1,Insects\n2,Insects\n' })
    const rows = await named.database.db.selectFrom('conference').select(['name', 'code']).execute()
    expect(rows).toEqual([{ name: 'Insects', code: 'insects' }])
    const members = await named.database.db.selectFrom('membership').select('conference_id').execute()
    expect(new Set(members.map((row) => row.conference_id)).size).toBe(1)
    const { text } = await cfb(smallCfb)
    expect(text).toContain('2  teams without a conference: the source has none: conferences.csv')
  })
})
