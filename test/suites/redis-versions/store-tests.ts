import { rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allSuites } from '../../all-suites.ts'
import { startRedis } from '../../store/redis/redis-server.ts'
import { unpacked } from './debian.ts'
import type { DebianServer } from './debian.ts'

/**
 * What is tested with the machine's Redis, and holds with every other one. The first ones use each command and each
 * script, so they stand for the others in CI.
 */
const files = [
  'store/redis/commands',
  'store/answers/answer-redis',
  'store/answers/shared-account',
  ...(allSuites
    ? [
        'live/fleet',
        'store/answers/evicted',
        'store/ledger/redis-ledger',
        'store/redis/connection',
        'store/round-trips',
      ]
    : []),
]

/** Runs the tests of the store with another server, which says of itself what `version` matches. */
export async function testsWith(server: DebianServer, version: RegExp): Promise<void> {
  const program = await unpacked(server)
  const missing = typeof program === 'string' ? '' : ` (skipped: ${program.missing})`
  test.skipIf(missing)(`the server is ${server.name} of ${server.release}${missing}`, async () => {
    const redis = await startRedis()
    expect(await redis.send('INFO', 'server')).toMatch(version)
    await redis.stop()
  })
  if (typeof program !== 'string') return
  beforeAll(() => {
    process.env['REDIS_SERVER'] = program
  })
  afterAll(() => {
    delete process.env['REDIS_SERVER']
    rmSync(dirname(program), { recursive: true, force: true })
  })
  // Files share their modules. The query makes each server's tests modules of their own.
  for (const file of files) await import(resolve(import.meta.dirname, `../../${file}.test.ts?${server.name}`))
}
