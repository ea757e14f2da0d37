import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openWhole } from '../src/sqlite-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'statline-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = join(folder, 'new.sqlite')
const open = (table: string) => openWhole(file, 0, (created) => created.exec(`create table ${table} (x)`))

test('a new file has its name when its tables are in it, so that a kill leaves none that is empty', () => {
  let sizeBefore: number | undefined
  const database = openWhole(file, 0, (created) => {
    created.exec('create table first (x)')
    sizeBefore = statSync(file, { throwIfNoEntry: false })?.size
  })
  expect(sizeBefore).toBeUndefined()
  expect(readdirSync(folder)).toEqual(['new.sqlite'])
  expect(statSync(file).size).toBeGreaterThan(4_096)
  database.close()
})

test('a file that another process has made meanwhile is opened, and not replaced', () => {
  const other = join(folder, 'other.sqlite')
  const database = openWhole(other, 0, (created) => {
    created.exec('create table late (x)')
    openWhole(other, 0, (first) => first.exec('create table early (x)')).close()
  })
  expect(database.prepare('select name from sqlite_master').all()).toMatchObject([{ name: 'early' }])
  database.close()
  open('second').close()
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
})
