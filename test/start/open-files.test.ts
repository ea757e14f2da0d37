import { expect, test } from 'vitest'
import { fewFiles, openFiles, openFilesIn } from '../../src/start/open-files.ts'

const limits = (files: string) =>
  `Limit                     Soft Limit           Hard Limit           Units
Max processes             4096                 4096                 processes
Max open files            ${files.padEnd(20)} 1048576              files
Max locked memory         8388608              8388608              bytes
`

test('the limit of open files is the soft one, if there is one', () => {
  expect([limits('128'), limits('unlimited'), 'nothing'].map(openFilesIn)).toEqual([128, null, null])
})

test('calls and what is open take their files first, and clients have an eighth at least', () => {
  const few = openFiles(1_000_000_000)
  if (few === null) return // Not on Linux.
  expect(few.connections).toBe(Math.floor(few.limit / 8))
  expect(openFiles(100)?.connections).toBe((openFiles(50)?.connections ?? 0) - 50)
})

test('a limit is told of if the allowed subscriptions do not fit', () => {
  expect(fewFiles({ limit: 1_200, connections: 1_000 }, 1_000)).toBeNull()
  expect(fewFiles({ limit: 128, connections: 40 }, 1_000)).toBe(
    'This process may have 128 files open (ulimit -n), which leaves 40 connections for clients. MAX_SUBSCRIPTIONS ' +
      'alone allows 1000. Raise the limit of open files.',
  )
})
