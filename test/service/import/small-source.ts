import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { importNcaaHoops } from '../../../src/service/import/basketball.ts'
import { importCfbfastr } from '../../../src/service/import/football.ts'
import { openDatabase } from '../../../src/service/store/database.ts'

/** The files of a season by name, without an ending. */
export type SourceFiles = Readonly<Record<string, string>>

const box = (contest: string, home: string, away: string, team: string, ids: string, points: number) =>
  `${home},${away},${team},39.8,${points},60,${points / 2 - 10},20,5,20,15,10,25,3,12,14,${contest},${ids}`

const ncaaBoxHeader =
  'home,away,team,mins,pts,fga,fgm,tpa,tpm,fta,ftm,orb,drb,blk,to,ast,contest_id,team_ncaa_team_id,team_espn_team_id'

/** Two games of three teams and an outsider, the first with its scores swapped in the schedule. */
export const smallNcaa: SourceFiles = {
  schedule: [
    'contest_id,game_date,home,away,home_score,away_score,season',
    '1,11/03/2025,Ants,Bees,60,70,2026',
    '2,11/05/2025,Bees,Nobody College,90,50,2026',
    '3,11/05/2025,Cats,Ants,80,76,2026',
    '',
  ].join('\n'),
  team_box: [
    ncaaBoxHeader,
    box('1', 'Ants', 'Bees', 'Ants', '11,101', 70),
    box('1', 'Ants', 'Bees', 'Bees', '12,102', 60),
    box('2', 'Bees', 'Nobody College', 'Bees', '12,102', 90),
    box('2', 'Bees', 'Nobody College', 'Nobody College', ',', 50),
    box('3', 'Cats', 'Ants', 'Cats', '13,103', 80),
    box('3', 'Cats', 'Ants', 'Ants', '11,101', 74),
    '',
  ].join('\n'),
  team_ids: 'team,conference,id,season\nAnts,Insects,11,2026\nBees,Insects,12,2026\nCats,Mammals,13,2026\n',
  team_rosters: [
    'season,team_id,team,player_id,clean_name,jersey,position,height,hometown,gp',
    '2026,11,Ants,900,Ann Three Names,4,G,6-1,"Humble, TX",2',
    '2026,12,Bees,901,Bob Bee,5,,6-2,,1',
    '',
  ].join('\n'),
}

const cfbPlayerHeader =
  'stat_1,stat_2,stat_3,stat_4,stat_5,category,athlete_id,athlete_name,jersey,team_id,rushingAttempts,rushingYards,rushingTouchdowns,longRushing,receptions,receivingYards,receivingTouchdowns,longReception,fumbles,fumblesLost,fumblesRecovered,kickReturns,kickReturnYards,longKickReturn,kickReturnTouchdowns,puntReturns,puntReturnYards,longPuntReturn,puntReturnTouchdowns,longFieldGoalMade,punts,puntYards,longPunt,interceptions,interceptionYards,interceptionTouchdowns,totalTackles,soloTackles,sacks,tacklesForLoss,passesDefended,hurries,passingYards,passingTouchdowns,fieldGoalsMade/fieldGoalAttempts,extraPointsMade/extraPointAttempts,completions/passingAttempts,game_id'

/** A player's row: its category and the cells that are filled. */
function playerRow(cells: Record<string, string>): string {
  return cfbPlayerHeader
    .split(',')
    .map((column) => cells[column] ?? '')
    .join(',')
}

const who = (id: string, name: string) => ({
  athlete_id: id,
  athlete_name: name,
  team_id: '1',
  game_id: '77',
})

/** One game of football, at night. */
export const smallCfb: SourceFiles = {
  schedule: [
    'game_id,season,game_date,neutral_site,conference_competition,home_id,away_id,home_team,away_team,home_abbreviation,away_abbreviation,home_score,away_score,attendance,status',
    '77,2025,2025-09-07T02:30Z,false,true,1,2,Ants Ant,Bees Bee,ANT,BEE,17,20,0,STATUS_FINAL',
    '78,2025,2025-09-14T18:00Z,true,false,2,1,Bees Bee,Ants Ant,BEE,ANT,,,0,STATUS_SCHEDULED',
    '',
  ].join('\n'),
  team_box: [
    'game_id,team_id,firstDowns,thirdDownEff,fourthDownEff,netPassingYards,completionAttempts,rushingYards,rushingAttempts,totalPenaltiesYards,fumblesLost,interceptions,possessionTime',
    '77,1,20,5-12,0-1,180,15/25,120,30,4-35,1,0,31:05',
    '77,2,18,4-13,1-1,200,18-30,100,28,3-20,0,1,28:55',
    '',
  ].join('\n'),
  betting: 'game_id,home_team_spread,over_under,game_spread_available\n77,-3.5,44.5,true\n78,2.5,50,false\n',
  player_box: [
    cfbPlayerHeader,
    playerRow({
      ...who('5', 'Al Arm'),
      category: 'passing',
      stat_1: '15/25',
      stat_2: '180',
      stat_4: '2',
      stat_5: '0',
    }),
    playerRow({
      ...who('5', 'Al Arm'),
      category: 'rushing',
      rushingAttempts: '3',
      rushingYards: '10',
      rushingTouchdowns: '0',
      longRushing: '9',
    }),
    playerRow({
      ...who('-1', ' Team'),
      category: 'rushing',
      rushingAttempts: '1',
      rushingYards: '-4',
      rushingTouchdowns: '0',
      longRushing: '0',
    }),
    playerRow({
      ...who('6', 'Cy Catch'),
      category: 'receiving',
      receptions: '15',
      receivingYards: '180',
      receivingTouchdowns: '2',
      longReception: '44',
    }),
    playerRow({
      ...who('7', 'Ken Kick'),
      category: 'kicking',
      'fieldGoalsMade/fieldGoalAttempts': '0/1',
      'extraPointsMade/extraPointAttempts': '2-2',
      longFieldGoalMade: '0',
    }),
    '',
  ].join('\n'),
}

export interface SourceFolder {
  readonly path: string
  remove(): void
}

/** The files in a folder of their own, gzip'ed unless told otherwise. Bytes stand for a file as they are. */
export function folderOf(files: Readonly<Record<string, string | Uint8Array>>, zipped = true): SourceFolder {
  const path = mkdtempSync(join(tmpdir(), 'statline-source-'))
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === 'string' && zipped ? gzipSync(content) : content
    writeFileSync(join(path, zipped ? `${name}.csv.gz` : `${name}.csv`), bytes)
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** The same where boxscores and schedule agree; so many that differ are not used. */
export const agreedNcaa: SourceFiles = {
  ...smallNcaa,
  schedule: String(smallNcaa['schedule']).replace('80,76', '80,74'),
}

const small = {
  basketball: { files: agreedNcaa, read: importNcaaHoops },
  football: { files: smallCfb, read: importCfbfastr },
} as const

/** A folder for `openDatabase` with a small season in it. */
export async function importedSmallSeason(sport: keyof typeof small): Promise<SourceFolder> {
  const source = folderOf(small[sport].files)
  const path = mkdtempSync(join(tmpdir(), 'statline-small-'))
  const database = await openDatabase(path)
  await small[sport].read(database, source.path, () => {})
  await database.close()
  source.remove()
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
