import { createReadStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { CsvError, parse } from 'csv-parse'
import { ImportFailed } from './faults.ts'
import type { SourceFile } from './files.ts'

interface Hash {
  update(chunk: Uint8Array): unknown
}

/**
 * Reads a CSV file, gzip’ed or not, and passes on its rows as they come, the header first.
 * @throws {ImportFailed} if the file is cut off or not CSV
 */
export async function readCsv(
  source: SourceFile,
  _columns: readonly string[],
  hash: Hash,
  onBytes: (done: number) => void,
  take: (cells: readonly string[]) => void,
): Promise<void> {
  const parser = parse({ bom: true, skip_empty_lines: true, relax_column_count: true })
  const taken = takeRows(parser, take)
  const [bytes, meter] = [createReadStream(source.path), metered(hash, onBytes)]
  const fed =
    source.format === 'gzip' ? pipeline(bytes, meter, createGunzip(), parser) : pipeline(bytes, meter, parser)
  try {
    await firstFault(taken, fed)
  } catch (error) {
    throw asFailure(error, source.file)
  }
}

async function takeRows(
  records: AsyncIterable<string[]>,
  take: (cells: readonly string[]) => void,
): Promise<void> {
  for await (const record of records) take(record)
}

/** Refused rows end the streams, and a broken stream ends the rows. The first error is reported. */
async function firstFault(taken: Promise<void>, fed: Promise<void>): Promise<void> {
  const [rows, stream] = await Promise.allSettled([taken, fed])
  if (rows.status === 'rejected' && rows.reason instanceof ImportFailed) throw rows.reason
  if (stream.status === 'rejected') throw stream.reason
  if (rows.status === 'rejected') throw rows.reason
}

function metered(hash: Hash, onBytes: (done: number) => void): Transform {
  let done = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      hash.update(chunk)
      onBytes((done += chunk.length))
      next(null, chunk)
    },
  })
}

function asFailure(error: unknown, file: string): unknown {
  if (error instanceof CsvError) return new ImportFailed(`${file} is not a whole CSV file: ${oneLine(error)}`)
  if (isZipError(error)) return new ImportFailed(`${file} is cut off or damaged: ${oneLine(error)}`)
  return error
}

const isZipError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && ((error as NodeJS.ErrnoException).code ?? '').startsWith('Z_') // zlib's errors carry their code.

export const oneLine = (error: Error) => error.message.replaceAll(/\s+/g, ' ')
