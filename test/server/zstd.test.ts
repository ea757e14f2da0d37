import { decompress } from 'fzstd'
import { expect, test } from 'vitest'
import { codingFor, compressedAs, Packed } from '../../src/server/packed.ts'
import { withZstdEnd, zstd, zstdIn } from '../../src/server/zstd.ts'
import type { ZstdZlib } from '../../src/server/zstd.ts'

const flush = 1
const text = JSON.stringify(
  Array.from({ length: 200 }, (_one, at) => ({ gameId: `game-${at}`, homeScore: at })),
)
const unpacked = (...parts: readonly Buffer[]) => Buffer.from(decompress(Buffer.concat(parts))).toString()

/** A frame of one uncompressed block, which is the last unless more is to come. */
const zlib: ZstdZlib = {
  constants: { ZSTD_e_flush: flush },
  zstdCompress(bytes, { finishFlush }, done) {
    const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x58])
    const size = Buffer.alloc(3)
    size.writeUIntLE((bytes.length << 3) | (finishFlush === flush ? 0 : 1), 0, 3)
    done(null, Buffer.concat([header, size, bytes]))
  },
}

test('a Node.js without Zstandard has none', () => expect(zstdIn({ constants: {} })).toBeNull())

test('a text is whole, or begun and given an end', async () => {
  const own = zstdIn(zlib)
  if (!own) throw new Error('It has Zstandard.')
  expect(unpacked(await own.whole(Buffer.from(text)))).toBe(text)
  const begun = await own.begun(Buffer.from(text))
  for (const end of [',"extensions":{"é":1}}', '}'])
    expect(unpacked(...withZstdEnd(begun, end))).toBe(text + end)
})

test.each([
  ['gzip, deflate, br, zstd', 'zstd'],
  ['zstd', 'zstd'],
  ['ZSTD', 'zstd'],
  ['*', 'zstd'],
  ['br, zstd;q=0.5', 'br'],
  ['gzip, zstd;q=0', 'gzip'],
  ['*, zstd;q=0', 'br'],
  ['zstandard', null],
])('where Node.js has it, %j is answered with %s', (accepted, coding) =>
  expect(codingFor({ 'accept-encoding': accepted }, ['zstd', 'br', 'gzip'])).toBe(coding),
)

test.skipIf(!zstd)(
  `an answer is packed by Node.js${zstd ? '' : ' (skipped: it has no Zstandard)'}`,
  async () => {
    expect(unpacked(await compressedAs(Buffer.from(text), 'zstd'))).toBe(text)
    const packed = new Packed(Buffer.from(text))
    for (const end of [',"extensions":{"é":1}}', '}'])
      expect(unpacked(...(await packed.codedWith(end, 'zstd')))).toBe(text + end)
  },
)
