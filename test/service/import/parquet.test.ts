import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterEach, describe, expect, it } from 'vitest'
import { importCfbfastr } from '../../../src/service/import/football.ts'
import { importNcaaHoops } from '../../../src/service/import/basketball.ts'
import { openDatabase } from '../../../src/service/store/database.ts'
import { tableNames } from '../../../src/specification/tables.ts'
import type { Schema } from '../../../src/service/store/schema.ts'
import { folderOf, smallCfb, smallNcaa } from './small-source.ts'
import type { SourceFiles } from './small-source.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

type Codec = 'UNCOMPRESSED' | 'SNAPPY' | 'ZSTD'

/** Zstandard without compression: one frame of raw blocks (RFC 8878, section 3.1.1). */
function zstd(input: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(input.length)
  const parts: Uint8Array[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]), length]
  const most = 128 * 1024
  for (let from = 0; from === 0 || from < input.length; from += most) {
    const block = input.subarray(from, from + most)
    const last = from + most >= input.length ? 1 : 0
    const header = (block.length << 3) | last
    parts.push(Buffer.from([header & 255, (header >> 8) & 255, header >> 16]), block)
  }
  return new Uint8Array(Buffer.concat(parts))
}

const isNumber = (text: string) => /^-?\d+(\.\d+)?$/.test(text)

/**
 * A column as sources have it: numbers as doubles, seasons as whole numbers, flags as booleans, nothing as
 * null.
 */
function columnOf(name: string, texts: readonly string[]) {
  const filled = texts.filter((text) => text !== '')
  const column = <T>(type: 'DOUBLE' | 'INT64' | 'BOOLEAN' | 'STRING', valueOf: (text: string) => T) => ({
    name,
    type,
    nullable: true,
    data: texts.map((text) => (text === '' ? null : valueOf(text))),
  })
  if (name === 'season') return column('INT64', BigInt)
  if (filled.length > 0 && filled.every((text) => text === 'true' || text === 'false'))
    return column('BOOLEAN', (text) => text === 'true')
  // Ids are text where the source has text ids.
  if (filled.length > 0 && filled.every(isNumber) && !name.endsWith('_id')) return column('DOUBLE', Number)
  return column('STRING', (text) => text)
}

function parquetOf(csv: string, codec: Codec): Buffer {
  const [header = [], ...rows] = parse(csv) as string[][] // rows of cells
  const columnData = header.map((name, at) =>
    columnOf(
      name,
      rows.map((row) => row[at] ?? ''),
    ),
  )
  return Buffer.from(parquetWriteBuffer({ columnData, codec, compressors: { ZSTD: zstd } }))
}

/** The files as Parquet under the names that their source publishes them by. */
function parquetFolder(files: SourceFiles, codec: Codec, nameOf: (name: string) => string): string {
  const folder = mkdtempSync(join(tmpdir(), 'statline-parquet-'))
  folders.push(folder)
  for (const [name, csv] of Object.entries(files))
    writeFileSync(join(folder, `${nameOf(name)}.parquet`), parquetOf(csv, codec))
  return folder
}

async function contentsOf(read: typeof importNcaaHoops, folder: string): Promise<Record<string, string[]>> {
  const database = await openDatabase(':memory:')
  try {
    await read(database, folder, () => {})
    const found: Record<string, string[]> = {}
    for (const table of [...tableNames, 'membership'] as (keyof Schema)[]) {
      const rows = await database.db.selectFrom<keyof Schema>(table).selectAll().execute()
      found[table] = rows.map((row) => JSON.stringify(row)).toSorted()
    }
    return found
  } finally {
    await database.close()
  }
}

function csvFolder(files: SourceFiles): string {
  const { path } = folderOf(files)
  folders.push(path)
  return path
}

describe('Parquet as the sources publish it', () => {
  it.each(['UNCOMPRESSED', 'SNAPPY', 'ZSTD'] as const)('%s, has what CSV has: basketball', async (codec) => {
    const folder = parquetFolder(smallNcaa, codec, (name) => `ncaa_mbb_${name}_2026`)
    expect(await contentsOf(importNcaaHoops, folder)).toEqual(
      await contentsOf(importNcaaHoops, csvFolder(smallNcaa)),
    )
  })

  it('has what CSV has: football', async () => {
    const nameOf = (name: string) => (name === 'schedule' ? 'cfb_schedule_2025' : `${name}_2025`)
    const folder = parquetFolder(smallCfb, 'ZSTD', nameOf)
    expect(await contentsOf(importCfbfastr, folder)).toEqual(
      await contentsOf(importCfbfastr, csvFolder(smallCfb)),
    )
  })

  it('is read season by season where a folder has several', async () => {
    const folder = parquetFolder(smallNcaa, 'SNAPPY', (name) => `ncaa_mbb_${name}_2026`)
    writeFileSync(join(folder, 'ncaa_mbb_schedule_2025.parquet'), 'another season')
    const database = await openDatabase(':memory:')
    await expect(importNcaaHoops(database, folder, () => {})).rejects.toThrow(
      /has several seasons of schedule: name one by --season \(2025, 2026\)$/,
    )
    const summary = await importNcaaHoops(database, folder, () => {}, undefined, { season: 2026 })
    expect(summary.rows['game']).toBe(3)
    await database.close()
  })

  it('that is cut off is one line', async () => {
    const folder = parquetFolder(smallNcaa, 'SNAPPY', (name) => name)
    truncateSync(join(folder, 'team_box.parquet'), 300)
    await expect(contentsOf(importNcaaHoops, folder)).rejects.toThrow(
      /^team_box\.parquet is cut off or damaged: [^\n]*$/,
    )
  })
})
