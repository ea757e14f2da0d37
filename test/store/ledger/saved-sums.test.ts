import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { OutboxFile } from '../../../src/money/files/outbox.ts'
import type { OwnedSums } from '../../../src/money/shared-ledger.ts'
import { OwnSums } from '../../../src/store/ledger/own-sums.ts'

const sums = (tokens: number) => ({ tokens, estimated: 0, bytes: 0, calls: 1, reserved: 0 })
const keyOf = (nth: number, month = '2026-02') => ({ month, kind: 'key', name: `key-${nth}` }) as const

describe('the last known sums', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'saved-sums-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('of thousands of keys are saved in parts, and only those that have changed', () => {
    const own = new OwnSums()
    const saved = (most = 500) => {
      const all: OwnedSums[] = []
      own.saveChanged(most, (changed) => all.push(...changed))
      return all
    }
    for (let nth = 0; nth < 1_200; nth += 1) own.noteAll(keyOf(nth), sums(nth + 1))
    expect([saved().length, saved().length, saved().length, saved().length]).toEqual([500, 500, 200, 0])
    own.noteAll(keyOf(7), sums(8))
    expect(saved()).toEqual([])
    own.noteAll(keyOf(7), sums(9))
    expect(saved()).toEqual([[keyOf(7), sums(9)]])
  })

  test('that could not be saved are saved next time', () => {
    const own = new OwnSums()
    own.noteAll(keyOf(1), sums(1))
    const full = () => {
      throw new Error('The disk is full.')
    }
    expect(() => own.saveChanged(500, full)).toThrow('The disk is full.')
    const saved: OwnedSums[] = []
    own.saveChanged(500, (changed) => saved.push(...changed))
    expect(saved).toEqual([[keyOf(1), sums(1)]])
  })

  test('are there after a restart, also if the clock was a month ahead once', () => {
    const outbox = new OutboxFile(folder)
    outbox.setSums([
      [keyOf(1, '2026-03'), sums(3)],
      [keyOf(2, '2026-03'), sums(4)],
    ])
    outbox.setSums([[keyOf(1), sums(1)]])
    outbox.setSums([[keyOf(1, '2026-03'), sums(5)]])
    outbox.close()
    const next = new OutboxFile(folder)
    expect(next.sums()).toEqual([
      [keyOf(2, '2026-03'), sums(4)],
      [keyOf(1), sums(1)],
      [keyOf(1, '2026-03'), sums(5)],
    ])
    next.close()
  })

  test('of the keys used last stay if there are more than ten thousand', () => {
    const outbox = new OutboxFile(folder)
    outbox.setSums(Array.from({ length: 10_000 }, (_, nth) => [keyOf(nth), sums(nth)]))
    outbox.setSums([
      [keyOf(0), sums(1)],
      [keyOf(10_000), sums(1)],
    ])
    const names = outbox.sums().map(([{ name }]) => name)
    expect(names.length).toBe(10_000)
    expect([names[0], ...names.slice(-2)]).toEqual(['key-2', 'key-0', 'key-10000'])
    outbox.close()
  })
})
