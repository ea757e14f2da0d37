import { open, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ImportFailed } from './faults.ts'

export type Format = 'csv' | 'gzip' | 'parquet'

export interface SourceFile {
  readonly path: string
  readonly file: string
  readonly size: number
  readonly format: Format
}

const endings = ['csv', 'csv.gz', 'parquet']

/**
 * Finds a table of a source: `name.csv`, `name.csv.gz` or `name.parquet`, or as sources publish it,
 * `ncaa_mbb_name_2026.parquet`, in the folder or in the `name/csv` and `name/parquet` of a whole repository.
 * Null if there is none.
 * @param season which one to take if there are several: then a file with this year in its name comes first
 * @throws {ImportFailed} if there are several seasons and none is named
 */
export async function findFile(folder: string, name: string, season?: number): Promise<SourceFile | null> {
  return season === undefined
    ? ((await findPlain(folder, name)) ?? (await findDated(folder, name)))
    : ((await findDated(folder, name, season)) ?? (await findPlain(folder, name)))
}

async function findPlain(folder: string, name: string): Promise<SourceFile | null> {
  for (const ending of endings) {
    const found = await inspect(join(folder, `${name}.${ending}`))
    if (found) return found
  }
  return null
}

async function findDated(folder: string, name: string, season?: number): Promise<SourceFile | null> {
  for (const place of placesOf(folder, name)) {
    const found = await findPublished(place, name, season)
    if (found) return found
  }
  return null
}

/** @throws {ImportFailed} if there is none */
export async function requireFile(folder: string, name: string, season?: number): Promise<SourceFile> {
  const found = await findFile(folder, name, season)
  if (found) return found
  const folderStat = await stat(folder).catch(() => null)
  if (!folderStat?.isDirectory()) throw new ImportFailed(`There is no folder ${folder}`)
  const files = endings.map((ending) => `${name}.${ending}`)
  throw new ImportFailed(`${basename(folder)} has none of ${files.join(', ')}`)
}

const placesOf = (folder: string, name: string): string[] => [
  folder,
  ...[name, `${name}s`].flatMap((inner) => ['csv', 'parquet'].map((kind) => join(folder, inner, kind))),
]

async function findPublished(place: string, name: string, season?: number): Promise<SourceFile | null> {
  const pattern = new RegExp(`^(?:(?:ncaa_)?[a-z]{2,4}_)?${name}_(\\d{4})\\.(?:csv|csv\\.gz|parquet)$`)
  const files = await readdir(place).catch(() => [])
  const matches = files.flatMap((file) => {
    const year = Number(pattern.exec(file)?.[1])
    return Number.isNaN(year) || (season !== undefined && year !== season) ? [] : [{ file, year }]
  })
  const years = new Set(matches.map(({ year }) => year))
  if (years.size > 1)
    throw new ImportFailed(
      `${basename(place)} has several seasons of ${name}: name one by --season (${[...years].toSorted().join(', ')})`,
    )
  for (const { file } of matches.toSorted((a, b) => (a.file < b.file ? -1 : 1))) {
    const found = await inspect(join(place, file))
    if (found) return found
  }
  return null
}

/** Detects a file’s format by its first bytes, not its name. Null if there is no such file. */
async function inspect(path: string): Promise<SourceFile | null> {
  const handle = await open(path).catch(() => null)
  if (!handle) return null
  try {
    const status = await handle.stat()
    if (!status.isFile()) return null
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return { path, file: basename(path), size: status.size, format: formatOf(buffer) }
  } finally {
    await handle.close()
  }
}

function formatOf(bytes: Buffer): Format {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip'
  return bytes.toString('latin1') === 'PAR1' ? 'parquet' : 'csv'
}
