import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import LibsqlDatabase from 'libsql'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { closeKept, noteFile, rewritten } from '../../../src/money/files/deleted-file.ts'

describe('a file that is deleted while its database is open', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'deleted-file-'))
    file = join(folder, 'kept.sqlite')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  function opened(at: string) {
    const database = new LibsqlDatabase(at)
    database.exec('pragma journal_mode = wal')
    noteFile(database, at)
    return database
  }

  function deleted() {
    const database = opened(file)
    database.exec('create table kept (value); insert into kept values (1)')
    rmSync(file)
    return database
  }
  const rowsIn = (database: LibsqlDatabase.Database | null) =>
    database?.prepare('select value from kept').all()

  test('is written again with all that it had, also if only a part of it could be written at first', () => {
    const database = deleted()
    // As SQLite does where the disk is full.
    const prepare = vi.spyOn(database, 'prepare').mockImplementationOnce(() => {
      const run = (at: string) => {
        appendFileSync(at, '')
        throw new Error('database or disk is full')
      }
      return { run } as unknown as LibsqlDatabase.Statement // all that is used
    })
    expect(() => rewritten(database, file, opened)).toThrow('full')
    prepare.mockRestore()
    const again = rewritten(database, file, opened)
    expect(rowsIn(again)).toEqual([{ value: 1 }])
    again?.close()
  })

  test('is opened again if it could not be opened after it was written', () => {
    const database = deleted()
    const full = () => {
      throw new Error('database or disk is full')
    }
    expect(() => rewritten(database, file, full)).toThrow('full')
    const again = rewritten(database, file, opened)
    expect(rowsIn(again)).toEqual([{ value: 1 }])
    expect(again && rewritten(again, file, opened)).toBe(null)
    again?.close()
  })

  test.each([['with'], ['without']])(
    'is written once by two processes, and neither takes the log of the other away: %s its own log',
    (log) => {
      const [one, other] = [opened(file), opened(file)]
      one.exec('create table kept (value); insert into kept values (1)')
      other.exec('insert into kept values (2)')
      for (const end of log === 'with' ? [''] : ['', '-wal', '-shm']) rmSync(file + end)
      const first = rewritten(one, file, opened)
      first?.exec('insert into kept values (3)')
      const second = rewritten(other, file, opened)
      second?.exec('insert into kept values (4)')
      const values = [1, 2, 3, 4].map((value) => ({ value }))
      expect([rowsIn(first), rowsIn(second)]).toEqual([values, values])
      // Those that were left open are closed, as at the end of their processes.
      closeKept(one, file)
      closeKept(other, file)
      const late = opened(file)
      expect(rowsIn(late)).toEqual(values)
      for (const database of [first, second, late]) database?.close()
      const last = opened(file)
      expect(rowsIn(last)).toEqual(values)
      last.close()
    },
  )
})
