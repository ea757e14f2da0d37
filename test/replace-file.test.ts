import { mkdtempSync, readFileSync, readdirSync, rmSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { replaceFile } from '../src/replace-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'replace-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a file is replaced, and its folder created', () => {
  const file = join(folder, 'new', 'file')
  replaceFile(file, 'one')
  replaceFile(file, 'other')
  expect(readFileSync(file, 'utf8')).toBe('other')
  expect(readdirSync(join(folder, 'new'))).toEqual(['file'])
})

test('what cannot be replaced stays, and nothing is left beside it', () => {
  const file = join(folder, 'taken')
  mkdirSync(join(file, 'inside'), { recursive: true })
  expect(() => replaceFile(file, 'text')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
  expect(readdirSync(folder).filter((name) => name.startsWith('taken'))).toEqual(['taken'])
})
