import { expect, test } from 'vitest'
import { OwnSums } from '../../../src/store/ledger/own-sums.ts'
import type { WireChange } from '../../../src/store/ledger/wire.ts'

const owned = (key: string) => ({ month: '2026-02', key, client: 'web', budget: '' })
const spent = (key: string, tokens: number) =>
  ({ ...owned(key), day: '2026-02-14', cause: '', tokens, estimated: 0, bytes: 0, calls: 1 }) as const

/** A call that has cost so many tokens; of a made-up key, which the service refuses, none. */
function count(sums: OwnSums, id: string, key: string, tokens: number): void {
  const changes: readonly WireChange[] = [
    { kind: 'open', id, ...owned(key), tokens: 5, limit: -1, budgetLimit: -1, lease: 1 },
    { kind: 'settle', id, ...owned(key), tokens: 5, spent: tokens > 0 ? [spent(key, tokens)] : [] },
  ]
  sums.count(changes, [1])
}

test('made-up keys do not fill the memory, whoever has paid before, and are not saved', () => {
  const sums = new OwnSums()
  count(sums, 'paid', 'real', 5)
  for (let nth = 0; nth < 30_000; nth += 1) count(sums, `call ${nth}`, `made up ${nth}`, 0)
  expect(sums.owners.length).toBeLessThanOrEqual(10_000)
  expect(sums.elsewhere({ month: '2026-02', kind: 'key', name: 'real' }).tokens).toBe(0)
  expect(sums.keys).toContain('real')
  let saved = 0
  sums.saveChanged(Number.POSITIVE_INFINITY, (changed) => (saved = changed.length))
  expect(saved).toBeLessThanOrEqual(10_000)
})
