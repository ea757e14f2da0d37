import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { decompress as unzstd } from 'fzstd'
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { oneLine } from './csv.ts'
import { ImportFailed } from './faults.ts'
import type { SourceFile } from './files.ts'

/**
 * Sources write Parquet with polars and arrow, compressed with zstd and snappy. hyparquet includes snappy.
 */
const compressors = {
  ZSTD: (input: Uint8Array) => unzstd(input),
  GZIP: (input: Uint8Array) => new Uint8Array(gunzipSync(input)),
}

/**
 * Keeps a day without a time: read as a time, it would be midnight in London, the evening before in New York.
 */
const parsers = {
  dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
}

/**
 * Reads the columns of a Parquet file and passes on its rows as text, as from a CSV file of the same table,
 * the header first.
 * @throws {ImportFailed} if the file is cut off or damaged
 */
export async function readParquet(
  source: SourceFile,
  columns: readonly string[],
  hash: { update(chunk: Uint8Array): unknown },
  onBytes: (done: number) => void,
  take: (cells: readonly string[]) => void,
): Promise<void> {
  const bytes = await readFile(source.path)
  hash.update(bytes)
  const { names, rows } = await readRows(source.file, bytes, columns)
  take(names)
  for (const row of rows) take(names.map((name) => textOf(row[name])))
  onBytes(source.size)
}

async function readRows(file: string, bytes: Buffer, columns: readonly string[]) {
  const { buffer, byteOffset, byteLength } = bytes
  const slice = (start: number, end = byteLength) =>
    buffer.slice(byteOffset + start, byteOffset + end) as ArrayBuffer // a Buffer that readFile made is over an ArrayBuffer
  const input = { byteLength, slice }
  try {
    const metadata = await parquetMetadataAsync(input)
    const stored = new Set(metadata.schema.map((element) => element.name))
    const names = columns.filter((column) => stored.has(column))
    const rows = await parquetReadObjects({ file: input, metadata, columns: names, compressors, parsers })
    return { names, rows: rows as Record<string, unknown>[] } // values are narrowed by textOf
  } catch (error) {
    throw new ImportFailed(
      `${file} is cut off or damaged: ${error instanceof Error ? oneLine(error) : String(error)}`,
    )
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object'
    ? JSON.stringify(value)
    : String(value as string | number | bigint | boolean) // what is left
}
