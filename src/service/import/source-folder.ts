import { createHash } from 'node:crypto'
import type { Progress } from '../league/publish.ts'
import { readCsv } from './csv.ts'
import { ImportFailed, RowFault, RowFaults } from './faults.ts'
import { findFile, requireFile } from './files.ts'
import type { SourceFile } from './files.ts'
import { readParquet } from './parquet.ts'
import { SourceRow } from './source-row.ts'

/** The expected form of a source’s file. */
export interface TableShape<C extends string> {
  /** The file’s name without its extension: `team_box`. */
  readonly name: string
  /** All columns that are read. */
  readonly columns: readonly C[]
  /** Optional columns, whose cells are then empty. */
  readonly optional?: readonly NoInfer<C>[]
  /** The column with the season, which has to be the same in all rows of all files. */
  readonly season?: NoInfer<C>
  /** The columns that identify a row. A duplicate is an error, or is left out. */
  readonly unique?: {
    readonly columns: readonly NoInfer<C>[]
    readonly second: 'fault' | 'left out'
    /** The one that is a day or a time, which may be written in several ways. */
    readonly moment?: NoInfer<C>
  }
}

export interface ReadTable {
  readonly file: string
  readonly rows: number
  /** Duplicate rows. */
  readonly repeated: number
  /** Missing columns. */
  readonly missing: readonly string[]
  /** SHA-256 of the file on disk. */
  readonly hash: string
}

export interface FolderOptions {
  /** The season to read. A file of another season is a fault. */
  readonly season?: number
}

/** The files of one season in a folder. Each is checked by itself and against those read before. */
export class SourceFolder {
  /** All files in the order of reading. */
  readonly read: ReadTable[] = []
  private readonly folder: string
  private readonly progress: Progress
  private readonly season: number | undefined
  private of: { season: number; said: string } | null

  constructor(folder: string, progress: Progress, { season }: FolderOptions = {}) {
    this.folder = folder
    this.progress = progress
    this.season = season
    this.of = season === undefined ? null : { season, said: 'in --season' }
  }

  /**
   * Passes every row of a file to `take`.
   * @throws {ImportFailed} if the file is missing, cut off or lacks a column, or with the faults of its rows,
   * such as one that contradicts another
   */
  async table<C extends string>(shape: TableShape<C>, take: (row: SourceRow<C>) => void): Promise<ReadTable> {
    return this.take(await requireFile(this.folder, shape.name, this.season), shape, take)
  }

  /** The same for an optional file; null if it is missing. */
  async tableIfThere<C extends string>(
    shape: TableShape<C>,
    take: (row: SourceRow<C>) => void,
  ): Promise<ReadTable | null> {
    const found = await findFile(this.folder, shape.name, this.season)
    return found && this.take(found, shape, take)
  }

  private async take<C extends string>(
    source: SourceFile,
    shape: TableShape<C>,
    take: (row: SourceRow<C>) => void,
  ): Promise<ReadTable> {
    const { file } = source
    const reader = new RowReader(file, shape, (row, season) => this.checkSeason(row, shape, season, file))
    const hash = createHash('sha256')
    const onBytes = (done: number) => this.progress(`reading ${file}`, done, source.size)
    const read = source.format === 'parquet' ? readParquet : readCsv
    const faults = new RowFaults(file)
    await read(source, shape.columns, hash, onBytes, (cells) => faults.watch(() => reader.take(cells, take)))
    faults.check()
    const table = { file, ...reader.done(), hash: hash.digest('hex') }
    this.read.push(table)
    return table
  }

  private checkSeason<C extends string>(
    row: SourceRow<C>,
    { season: column }: TableShape<C>,
    season: number,
    file: string,
  ): void {
    this.of ??= { season, said: `before in ${file}` }
    if (column === undefined || season === this.of.season) return
    throw row.fault(column, `is ${season}, and ${this.of.season} ${this.of.said}`)
  }
}

/** The rows of one file: first the header’s cells, then the table’s. */
class RowReader<C extends string> {
  private readonly file: string
  private readonly shape: TableShape<C>
  private readonly onSeason: (row: SourceRow<C>, season: number) => void
  private readonly seen = new Map<string, number>()
  private positions: ReadonlyMap<C, number> | undefined
  private width = 0
  private missing: readonly C[] = []
  private rows = 0
  private repeated = 0

  constructor(file: string, shape: TableShape<C>, onSeason: (row: SourceRow<C>, season: number) => void) {
    this.file = file
    this.shape = shape
    this.onSeason = onSeason
  }

  take(cells: readonly string[], take: (row: SourceRow<C>) => void): void {
    if (!this.positions) return this.readHeader(cells)
    const place = `${this.file} row ${++this.rows}`
    if (cells.length !== this.width)
      throw new RowFault(`${place} has ${cells.length} cells, and the header ${this.width}`)
    const row = new SourceRow(cells, this.positions, place)
    const { season } = this.shape
    if (season !== undefined && row.text(season) !== '') this.onSeason(row, row.year(season))
    if (this.isRepeated(row)) this.repeated += 1
    else take(row)
  }

  done(): Pick<ReadTable, 'rows' | 'repeated' | 'missing'> {
    if (!this.positions) throw new ImportFailed(`${this.file} is empty`)
    return { rows: this.rows, repeated: this.repeated, missing: this.missing }
  }

  private readHeader(header: readonly string[]): void {
    const { columns, optional = [] } = this.shape
    const names = header.map((name) => name.trim())
    const missing = columns.filter((column) => !names.includes(column))
    const needed = missing.filter((column) => !optional.includes(column))
    if (needed.length > 0)
      throw new ImportFailed(`${this.file} is not what it should be: it has no column ${needed.join(', ')}`)
    this.missing = missing
    this.width = header.length
    this.positions = new Map(
      columns.filter((column) => !missing.includes(column)).map((column) => [column, names.indexOf(column)]),
    )
  }

  private isRepeated(row: SourceRow<C>): boolean {
    const { unique } = this.shape
    if (!unique) return false
    const valueOf = (column: C) => (column === unique.moment ? row.time(column) : row.text(column))
    const key = unique.columns.map(valueOf).join('\u0000')
    const before = this.seen.get(key)
    if (before === undefined) {
      this.seen.set(key, this.rows)
      return false
    }
    if (unique.second === 'left out') return true
    const shown = unique.columns.map((column) => row.text(column)).join(' ')
    throw row.fault(unique.columns[0]!, `is there twice, first in row ${before}: ${JSON.stringify(shown)}`) // has one at least
  }
}
