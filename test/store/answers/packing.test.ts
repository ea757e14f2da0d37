import { randomBytes } from 'node:crypto'
import { brotliCompressSync, crc32, deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pack, unpack } from '../../../src/store/answers/packing.ts'
import type { Bought } from '../../../src/account/answer-store.ts'

const bought = (text: string): Bought => ({
  kind: 'answer',
  operation: 'readTeams',
  arguments: { team_id: ['1', '2'] },
  boughtAt: 1_760_000_000_000.25,
  bill: { tokens: 3, bytes: text.length, estimated: false },
  isRandomized: false,
  text,
})

const texts: readonly (readonly [string, string])[] = [
  ['nothing', '{}'],
  ['a short one', '{"1":{"name":"One\\nTwo"}}'],
  ['a usual one', JSON.stringify(Array.from({ length: 2_000 }, (_, points) => ({ name: 'Duke', points })))],
  ['a usual one of three bytes a character', JSON.stringify(Array(40_000).fill('語'))],
  ['a large one', randomBytes(200_000).toString('hex')],
  ['a large one of four bytes a character', '🏀'.repeat(100_000)],
]

test.each(texts)('an answer is the same after it was packed: %s', async (_what, text) => {
  expect(unpack(await pack(bought(text)))).toEqual(bought(text))
})

test('answers that are packed one after the other share no bytes', async () => {
  const all = texts.map(([, text]) => bought(text))
  const packed = await Promise.all(all.map(pack))
  expect(packed.map(unpack)).toEqual(all)
})

test('a refusal is the same after it was packed', async () => {
  const refusal: Bought = { kind: 'refusal', operation: 'team/read', boughtAt: 1 }
  expect(unpack(await pack(refusal))).toEqual({ ...refusal, text: '' })
})

test('an answer of which any byte was changed or cut off is not read', async () => {
  const packed = await pack(bought(JSON.stringify(Array(300).fill('row'))))
  for (let at = 0; at < packed.length; at += 1) {
    const damaged = Buffer.from(packed)
    damaged[at] = (damaged[at] ?? 0) ^ 0x55
    expect(unpack(damaged), `byte ${at}`).toBeNull()
    expect(unpack(packed.subarray(0, at)), `${at} bytes`).toBeNull()
  }
})

test('what earlier versions packed is read', () => {
  const { text, ...head } = bought(JSON.stringify(Array(300).fill('row'))) as Bought & { text: string } // made above
  const bytes = Buffer.from(`${JSON.stringify(head)}\n${text}`)
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(bytes))
  const deflated = Buffer.concat([Buffer.from([1]), deflateSync(bytes)])
  const checked = Buffer.concat([Buffer.from([2]), sum, brotliCompressSync(bytes)])
  for (const packed of [deflated, checked]) expect(unpack(packed)).toEqual({ ...head, text })
})
