import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '../../src/specification/operations.ts'
import { Deadline } from '../../src/wire/deadline.ts'
import { recording } from '../../src/calls/tape/recording.ts'
import { heapInUse } from '../heap.ts'

test('a tape on which many long keys are recorded does not fill the memory, and numbers them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tape-keys-'))
  const file = join(folder, 'tape.jsonl')
  const transport = recording(async () => ({ status: 200, headers: {}, body: '{}', bytes: 2 }), file)
  const send = (nth: number) =>
    transport({
      operation: operations.readTeams,
      arguments: {},
      method: 'GET',
      path: '/team/read',
      apiKey: `${nth}${'x'.repeat(500_000)}`,
      deadline: new Deadline(1_000),
    })
  try {
    const before = heapInUse()
    for (let nth = 0; nth < 30; nth += 1) await send(nth)
    await send(7)
    expect((heapInUse() - before) / 1e6).toBeLessThan(5)
    const keys = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { key: number }).key)
    expect(keys).toEqual([...Array(30).keys(), 7])
  } finally {
    await transport.close?.()
    rmSync(folder, { recursive: true, force: true })
  }
})
