import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse'

const files = ['schedule', 'team_box', 'team_ids', 'team_rosters']

/** Columns that say when, and the ids of games, which no two seasons share. */
const changes: Readonly<Record<string, (cell: string) => string>> = {
  season: (cell) => String(Number(cell) - 1),
  game_date: (cell) => cell.replace(/\d{4}$/, (year) => String(Number(year) - 1)),
  contest_id: (cell) => `before-${cell}`,
}

/** Writes a season of basketball as if it had been played a year before, by the same teams and players. */
export async function writeYearBefore(source: string, target: string): Promise<void> {
  for (const name of files)
    await pipeline(
      createReadStream(join(source, `${name}.csv.gz`)),
      createGunzip(),
      parse(),
      changed,
      createWriteStream(join(target, `${name}.csv`)),
    )
}

async function* changed(records: AsyncIterable<string[]>): AsyncGenerator<string> {
  let header: string[] | undefined
  for await (const record of records) {
    const cells = header ? record.map((cell, at) => (changes[header?.[at] ?? ''] ?? same)(cell)) : record
    header ??= record
    yield `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`
  }
}

const same = (cell: string) => cell
