import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { CsvError, parse } from 'csv-parse'
import type { Progress } from '../league/publish.ts'
import { ImportFailed } from './failure.ts'
import { SourceRow } from './record.ts'

/** What a file of a source must have. */
export interface TableShape<C extends string> {
  /** Its name without an ending: `team_box`. */
  readonly name: string
  readonly columns: readonly C[]
}

export interface ReadTable {
  readonly file: string
  readonly rows: number
  /** SHA-256 of the file as it lies there. */
  readonly hash: string
}

/**
 * Reads `name.csv` or `name.csv.gz` row by row and hands each to `take`.
 *
 * @throws {ImportFailed} where the file is missing, cut off, no CSV, or lacks a column
 */
export async function readTable<C extends string>(
  folder: string,
  shape: TableShape<C>,
  progress: Progress,
  take: (row: SourceRow<C>) => void,
): Promise<ReadTable> {
  const source = await findFile(folder, shape.name)
  try {
    return await readSource(source, shape, progress, take)
  } catch (error) {
    throw asFailure(error, source.file)
  }
}

interface Source {
  readonly path: string
  readonly file: string
  readonly size: number
  readonly zipped: boolean
}

async function findFile(folder: string, name: string): Promise<Source> {
  for (const file of [`${name}.csv`, `${name}.csv.gz`]) {
    const source = await inspect(join(folder, file))
    if (source) return source
  }
  throw new ImportFailed(`${basename(folder)} has neither ${name}.csv nor ${name}.csv.gz`)
}

/** Whether a file is zipped is told by its first two bytes, whatever it is called. Null where there is no such file. */
async function inspect(path: string): Promise<Source | null> {
  const handle = await open(path).catch(() => null)
  if (!handle) return null
  try {
    const status = await handle.stat()
    if (!status.isFile()) return null
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return {
      path,
      file: basename(path),
      size: status.size,
      zipped: buffer[0] === 0x1f && buffer[1] === 0x8b,
    }
  } finally {
    await handle.close()
  }
}

async function readSource<C extends string>(
  { path, file, size, zipped }: Source,
  { columns }: TableShape<C>,
  progress: Progress,
  take: (row: SourceRow<C>) => void,
): Promise<ReadTable> {
  const hash = createHash('sha256')
  const meter = metered(hash, (done) => progress(`reading ${file}`, done, size))
  const parser = parse({ bom: true, skip_empty_lines: true })
  const taken = takeRows(parser, columns, file, take)
  const bytes = createReadStream(path)
  const fed = zipped ? pipeline(bytes, meter, createGunzip(), parser) : pipeline(bytes, meter, parser)
  return { file, rows: await firstFault(taken, fed), hash: hash.digest('hex') }
}

/** Where rows are refused the streams are torn down, and where a stream breaks so are the rows: the cause is told, not what came of it. */
async function firstFault(taken: Promise<number>, fed: Promise<void>): Promise<number> {
  const [rows, stream] = await Promise.allSettled([taken, fed])
  if (rows.status === 'rejected' && rows.reason instanceof ImportFailed) throw rows.reason
  if (stream.status === 'rejected') throw stream.reason
  if (rows.status === 'rejected') throw rows.reason
  return rows.value
}

/** Hands every row below the header on. @returns how many */
async function takeRows<C extends string>(
  records: AsyncIterable<string[]>,
  columns: readonly C[],
  file: string,
  take: (row: SourceRow<C>) => void,
): Promise<number> {
  let positions: ReadonlyMap<C, number> | undefined
  let rows = 0
  for await (const record of records) {
    if (!positions) positions = positionsOf(record, columns, file)
    else take(new SourceRow(record, positions, `${file} row ${++rows}`))
  }
  if (!positions) throw new ImportFailed(`${file} is empty`)
  return rows
}

function metered(hash: { update(chunk: Buffer): unknown }, onBytes: (done: number) => void): Transform {
  let done = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      hash.update(chunk)
      onBytes((done += chunk.length))
      next(null, chunk)
    },
  })
}

function positionsOf<C extends string>(
  header: readonly string[],
  columns: readonly C[],
  file: string,
): ReadonlyMap<C, number> {
  const positions = new Map(columns.map((column) => [column, header.indexOf(column)]))
  const missing = columns.filter((column) => positions.get(column) === -1)
  if (missing.length > 0)
    throw new ImportFailed(`${file} is not what it should be: it has no column ${missing.join(', ')}`)
  return positions
}

function asFailure(error: unknown, file: string): unknown {
  if (error instanceof CsvError) return new ImportFailed(`${file} is not a whole CSV file: ${oneLine(error)}`)
  if (isZipError(error)) return new ImportFailed(`${file} is cut off or damaged: ${oneLine(error)}`)
  return error
}

const isZipError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && ((error as NodeJS.ErrnoException).code ?? '').startsWith('Z_') // zlib's errors carry their code.

const oneLine = (error: Error) => error.message.replaceAll(/\s+/g, ' ')

/** One state of the source’s files, told from any other. */
export const fingerprintOf = (read: readonly ReadTable[]): string =>
  createHash('sha256')
    .update(read.map((table) => table.hash).join(' '))
    .digest('hex')
