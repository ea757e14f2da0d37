import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ConfigError } from '../../src/config.ts'
import { checkDataDir } from '../../src/start/data-dir.ts'

const folder = mkdtempSync(join(tmpdir(), 'data-dir-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.runIf(existsSync('/proc/self')).each(['/proc/statline', '/proc/statline/data'])(
  'DATA_DIR=%s is refused in one line, not tried for ever',
  (path) => {
    expect(() => checkDataDir(path)).toThrow(ConfigError)
    expect(() => checkDataDir(path)).toThrow(`DATA_DIR (${path}) cannot be created: /proc takes no folders.`)
  },
)

test('a folder that is there, is yet to be made or cannot be is left to those who write there', () => {
  writeFileSync(join(folder, 'no-folder'), '')
  for (const path of ['', 'a/b/c', 'no-folder/data'])
    expect(() => checkDataDir(join(folder, path))).not.toThrow()
  expect(existsSync(join(folder, 'a/b'))).toBe(false)
})

test('a DATA_DIR that is a file is told in one line', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(() => checkDataDir(file)).toThrow(new ConfigError(`DATA_DIR (${file}) is a file, not a folder.`))
})
