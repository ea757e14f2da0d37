import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSocketServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { program } from '../started.ts'
import { listening, startPrograms } from './programs.ts'

const root = join(import.meta.dirname, '../..')

const { folder, sample, run } = await startPrograms()

describe('a start that cannot succeed', () => {
  test('says in one line that a port is taken', async () => {
    const other = createServer()
    const { port } = new URL(await listening(other))
    const { exit, output } = run({ UPSTREAM_URL: sample.url, PORT: port })
    expect(await exit).toBe(1)
    expect(output().trim().split('\n')).toEqual([expect.stringContaining(port)])
    expect(output()).toMatch(/taken/)
    other.close()
  })

  test('says in one line that ADMIN_PORT is taken, and leaves the other port', async () => {
    const other = createServer()
    const { port } = new URL(await listening(other))
    const { exit, output } = run({ UPSTREAM_URL: sample.url, ADMIN_PORT: port })
    expect(await exit).toBe(1)
    expect(output().trim().split('\n')).toEqual([
      expect.stringMatching(new RegExp(`:${port}, which HOST and ADMIN_PORT name: the port is taken`)),
    ])
    other.close()
  })

  test.each(['PORT', 'ADMIN_PORT', 'SERVICE_PORT'])(
    'ends if %s is taken, also while it connects to a Redis that never answers',
    async (name) => {
      const other = createServer()
      const silent = createSocketServer((socket) => socket.on('error', () => {}).resume())
      const { port } = new URL(await listening(other))
      const redis = new URL(await listening(silent))
      const { exit, output } = run({
        ...(name !== 'SERVICE_PORT' && { UPSTREAM_URL: sample.url }),
        REDIS_URL: `redis://${redis.host}`,
        [name]: port,
      })
      expect(await exit).toBe(1)
      expect(output()).toMatch(new RegExp(`^.*${port}.* taken.*\\n$`))
      other.close()
      silent.close()
    },
  )

  test('says in one line that a tape cannot be read', async () => {
    const { exit, output } = run({ UPSTREAM_TAPE: `replay:${join(folder, 'nothing.tape')}` })
    expect(await exit).toBe(1)
    expect(output().trim()).toMatch(/^UPSTREAM_TAPE names .*nothing\.tape", which cannot be read\.$/)
  })

  test('says in one line that a ledger is damaged which a budget needs, and so does the doctor', async () => {
    const own = join(folder, 'damaged')
    mkdirSync(own)
    writeFileSync(join(own, 'ledger.sqlite'), '')
    const settings = { UPSTREAM_URL: sample.url, UPSTREAM_API_KEY: 'any', DATA_DIR: own }
    const commands = [program, [process.execPath, join(root, 'dist/statline.js'), 'doctor']]
    for (const command of commands) {
      const { exit, output } = run({ ...settings, MONTHLY_TOKEN_BUDGET: '100' }, command)
      expect(await exit).toBe(1)
      expect(output().trim().split('\n')).toEqual([
        expect.stringMatching(
          /^The ledger in DATA_DIR \(.*\) is damaged: it is empty\. .* to begin at zero\.$/,
        ),
      ])
    }
  })

  test.each([
    ['HOST', '999.999.999.999'],
    ['DATA_DIR', '/dev/null'],
  ])('says in one line that what %s names cannot be had', async (name, value) => {
    const { exit, output } = run({ [name]: value, SERVICE_PORT: '0' })
    expect(await exit).toBe(1)
    expect(output().trim().split('\n')).toEqual([expect.stringContaining(name)])
  })

  test.each([
    ['CLIENT_BUDGETS', '/nowhere/budgets.json'],
    ['TRUSTED_DOCUMENTS', '/nowhere/documents.json'],
    ['UPSTREAM_TAPE', 'replay:/nowhere/page.tape'],
  ])('ends before anything is started if the file of %s is missing', async (name, value) => {
    const { exit, output } = run({ [name]: value, SERVICE_PORT: '0', DATA_DIR: join(folder, 'no-file') })
    expect(await exit).toBe(1)
    expect(output().trim().split('\n')).toEqual([expect.stringMatching(`^${name} names .*cannot be read`)])
    expect(existsSync(join(folder, 'no-file'))).toBe(false)
  })

  test('says in one line that a command does not exist', async () => {
    const { exit, output } = run({}, [...program, 'serve'])
    expect(await exit).toBe(1)
    expect(output()).toBe('There is no command serve: leave it out, or write service.\n')
  })

  test('ends with its embedded service if a later part cannot start', async () => {
    const own = { SERVICE_PORT: '0', DATA_DIR: join(folder, 'no-tape') }
    const { exit, output } = run({ ...own, UPSTREAM_TAPE: 'record:/nowhere/page.tape' })
    expect(await exit).toBe(1)
    expect(output().trim().split('\n')).toEqual([
      'The sample league is being created. That takes some seconds.',
      expect.stringMatching(/^The statistics service listens on /),
      expect.stringMatching(/^UPSTREAM_TAPE names .*cannot be written/),
    ])
  })

  test.skipIf(!existsSync('/proc/self/limits'))(
    'says in one line that too few files may be open to load its modules',
    async () => {
      const few = ['sh', '-c', 'ulimit -n 64; exec "$@"', 'sh', ...program]
      const { exit, output } = run({ UPSTREAM_URL: sample.url }, few)
      expect(await exit).toBe(1)
      expect(output().trim().split('\n')).toEqual([expect.stringContaining('may have only 64 files open')])
    },
  )

  test('says in one line which variable has a bad value', async () => {
    const { exit, output } = run({ MONTHLY_TOKEN_BUDGET: 'a lot' })
    expect(await exit).toBe(1)
    expect(output().trim().split('\n')).toEqual([expect.stringContaining('MONTHLY_TOKEN_BUDGET')])
  })
})
