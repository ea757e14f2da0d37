import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import LibsqlDatabase from 'libsql'
import { parse, validate } from 'graphql'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { schema } from '../../../src/schema.ts'
import { ANSWER_FILE, AnswerFile } from '../../../src/store/answers/answer-file.ts'
import { AnswerTable } from '../../../src/store/answers/answer-table.ts'
import type { AnswerFileOptions } from '../../../src/store/answers/answer-file.ts'
import { UnavailableError } from '../../../src/errors/errors.ts'
import { operations } from '../../../src/specification/operations.ts'
import type { Upstream } from '../../../src/account/upstream.ts'
import { basketball, season, startSample, today } from '../../graph/harness.ts'
import type { GraphOptions, Sample } from '../../graph/harness.ts'
import { DocumentGenerator } from '../../graph/execution/documents.ts'
import { sampleNow } from '../../sample.setup.ts'
import type { Json } from '../../service/client.ts'

const day = 86_400_000
const minute = 60_000

let sample: Sample
let games: Json[]
let folder: string
let now = sampleNow
const open: AnswerFile[] = []
const warnings: string[] = []

beforeAll(async () => {
  sample = await startSample()
  games = await sample.rows('game/getGames', { ...basketball, start_date: today })
})
afterAll(() => sample.close())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'answers-'))
  now = sampleNow
  warnings.length = 0
})
afterEach(async () => {
  for (const file of open.splice(0)) await file.close().catch(() => {})
  rmSync(folder, { recursive: true, force: true })
})

function fileIn(options: Partial<AnswerFileOptions> = {}): AnswerFile {
  const file = new AnswerFile(folder, {
    clock: () => now,
    keptFor: 2 * day,
    service: 'test',
    warn: (message) => warnings.push(message),
    ...options,
  })
  open.push(file)
  return file
}

/** A graph that has just been started. */
function started(options: GraphOptions & Parameters<Sample['graph']>[0] = {}) {
  const answers = fileIn()
  return { ...sample.graph({ answers, clock: () => now, ...options }), stop: () => answers.close() }
}

const page = `{ league { games(date: "${today}") { status homeTeam { name stats { points { value } } } prediction { awayScore } } } }`

describe('after a restart', () => {
  test('the same query, and others of the same rows, cost nothing', async () => {
    const first = started()
    const { data } = await first.query(page, { extensions: { explain: true } })
    expect(first.calls.take().length).toBeGreaterThan(2)
    await first.stop()

    const next = started()
    expect((await next.query(page)).data).toEqual(data)
    const other = `{ league { games(date: "${today}") { clock awayTeam { name primaryColor } homeTeam { conferenceId stats { games } } } } }`
    const { errors, extensions } = await next.query(other, { extensions: { explain: true } })
    expect(errors).toBeUndefined()
    expect(extensions.usage).toMatchObject({ calls: 0, tokens: 0 })
    expect(extensions.plan?.map(({ source }) => source)).toContain('MEMORY')
    expect(next.calls.take()).toEqual([])
  })

  test('whatever was asked before costs nothing again, of every kind', async () => {
    const column = (name: string) => games.slice(0, 4).map((game) => String(game[name]))
    const [team = ''] = column('home_team_id')
    const { organization_id } = basketball
    const players = await sample.rows('team/getPlayers', { organization_id, team_id: team, season })
    const ids = {
      Game: column('game_id'),
      Team: column('home_team_id'),
      Player: players.slice(0, 4).map((player) => String(player['player_id'])),
      Conference: [String((Object.values(games[0]?.['teams'] ?? {}) as Json[])[0]?.['conference_id'])],
    }
    const generator = new DocumentGenerator(schema, { season, date: today, ids }, 7)
    const before = started({ timeoutMs: 60_000 })
    const asked: { readonly text: string; readonly variables: Record<string, unknown> }[] = []
    while (asked.length < 40) {
      const { text, variables } = generator.next()
      if (validate(schema, parse(text)).length > 0) continue
      const answer = await before.query(text, { variables: { ...variables } })
      if (!answer.errors) asked.push({ text, variables: { ...variables } })
    }
    before.calls.take()
    // After a restart, a second query has the answer and the highest cost that it has in a process that never
    // stopped. It may cost less, because the first query may have listed games before their start was known.
    const again: { readonly data: unknown; readonly calls: readonly string[] }[] = []
    for (const { text, variables } of asked) {
      const { data } = await before.query(text, { variables })
      again.push({ data, calls: before.calls.take() })
    }
    await before.stop()
    const after = started({ timeoutMs: 60_000 })
    for (const [index, { text, variables }] of asked.entries()) {
      const { data } = await after.query(text, { variables })
      expect({ data, calls: after.calls.take() }, text).toEqual(again[index])
    }
  })

  test('answers beyond those that are read at the start are found when they are needed', async () => {
    const teams = [...new Set(games.map((game) => String(game['home_team_id'])))]
    const before = fileIn()
    const { keep } = before.open('sample-paid', () => {})
    const [oldest = '', ...newer] = teams.slice(0, 4)
    // Random digits do not compress: the newer ones are more than is read at the start.
    const row = (team: string, nth: number, digits: number) => ({
      ...bought(nth, now - 1_000 + nth),
      arguments: { team_id: [team] },
      text: JSON.stringify({
        [team]: { name: `Team ${nth}`, notes: randomBytes(digits).toString('base64') },
      }),
    })
    keep(row(oldest, 0, 10))
    newer.forEach((team, index) => keep(row(team, index + 1, 3_000_000)))
    await before.close()

    const after = started()
    const named = (team: string) => `{ team(id: "${team}") { name } }`
    for (const [nth, team] of [oldest, ...newer].entries())
      expect((await after.query(named(team))).data).toEqual({ team: { name: `Team ${nth}` } })
    expect(after.calls.take()).toEqual([])
  })

  test('a key that comes once after it still has all that it had before', async () => {
    const named = (nth: number) => `{ team(id: "${String(games[nth]?.['home_team_id'])}") { name } }`
    const headers = { 'x-api-key': 'sample-paid' }
    const first = started({ apiKey: null })
    await first.query(named(0), { headers })
    await first.query(named(1), { headers })
    await first.stop()
    const next = started({ apiKey: null })
    await next.query(named(2), { headers })
    expect(next.calls.take()).toEqual(['team/read 1'])
    for (const nth of [0, 1, 2]) await next.query(named(nth), { headers })
    expect(next.calls.take()).toEqual([])
  })

  test('rows age by when they were bought, not by the restart', async () => {
    const team = `{ team(id: "${String(games[0]?.['home_team_id'])}") { name stats(season: ${season}) { games } } }`
    const first = started()
    await first.query(team)
    expect(first.calls.take()).toEqual(['team/getStats 1', 'team/read 1'])
    await first.stop()
    now += 4 * minute
    const second = started()
    await second.query(team)
    expect(second.calls.take()).toEqual([])
    await second.stop()
    now += 2 * minute
    const third = started()
    await third.query(team)
    expect(third.calls.take()).toEqual(['team/getStats 1'])
  })

  test('what has aged is served and marked while the service is away', async () => {
    const first = started()
    const { data } = await first.query(page)
    await first.stop()
    now += 60 * minute
    const away = started({
      between: async () => {
        throw new UnavailableError('The statistics service cannot be reached.')
      },
    })
    const answer = await away.query(page)
    expect(answer.data).toEqual(data)
    expect(answer.errors).toBeUndefined()
    expect(answer.extensions).toMatchObject({ stale: { seconds: 3600 }, usage: { tokens: 0 } })
  })

  test('rows that were bought by a clock that was ahead are bought again, and then kept', async () => {
    const text = `{ league { games(date: "${today}") { homeScore network } } }`
    now = sampleNow + 365 * day
    const ahead = started()
    await ahead.query(text)
    await ahead.stop()
    now = sampleNow
    const next = started()
    expect((await next.query(text)).extensions.usage.calls).toBe(1)
    await next.stop()
    const last = started()
    expect((await last.query(text)).extensions.usage.calls).toBe(0)
  })

  test('a refusal is remembered, and a trial key’s rows are still said to be possibly randomized', async () => {
    const team = `{ team(id: "${String(games[0]?.['home_team_id'])}") { name } }`
    const first = started({ apiKey: 'sample-trial' })
    await first.query(team)
    expect(first.calls.take()).toEqual(['team/get 1', 'team/read 1'])
    await first.stop()
    const next = started({ apiKey: 'sample-trial' })
    await next.query(`{ team(id: "${String(games[1]?.['home_team_id'])}") { name } }`)
    expect(next.calls.take()).toEqual(['team/get 1'])
    expect(next.upstream.accountOf('sample-trial').dataQuality()).not.toBeNull()
  })

  test.each([
    ['RANDOMIZED', true],
    ['MAY_BE_RANDOMIZED', false],
  ])('rows of a trial that are found when they are needed are said to be %s', async (quality, isSaid) => {
    const key = 'sample-trial'
    let isUpgraded = false
    const between: Parameters<Sample['graph']>[0] = {
      apiKey: key,
      between: async (request, service) => {
        const answer = await service(isUpgraded ? { ...request, apiKey: 'sample-paid' } : request)
        const { 'x-data-quality': said, ...headers } = answer.headers
        return { ...answer, headers: isSaid && said ? answer.headers : headers }
      },
    }
    const chances = `{ league { games(date: "2026-02-12") { prediction { homePercentage } } } }`
    const team = (nth: number) => `{ team(id: "${String(games[nth]?.['home_team_id'])}") { name } }`
    const first = started(between)
    const { data } = await first.query(chances)
    await first.query(team(0))
    expect(first.calls.take()).toEqual(['game/getScores 1', 'team/get 1', 'team/read 1'])
    isUpgraded = true
    now += 6 * minute
    await first.query(team(1))
    expect(first.calls.take()).toEqual(['team/read 1'])
    await first.stop()
    // Newer answers that are more than is read at the start.
    const file = fileIn()
    const { keep } = file.open(key, () => {})
    for (let nth = 0; nth < 3; nth += 1) {
      const text = JSON.stringify({ [`team ${nth}`]: { notes: randomBytes(3_000_000).toString('base64') } })
      keep({ ...bought(nth, now + nth), text })
    }
    await file.close()

    now += minute
    const next = started(between)
    for (let nth = 0; nth < 2; nth += 1) {
      const again = await next.query(chances)
      expect(again.data).toEqual(data)
      expect(again.extensions).toMatchObject({ dataQuality: quality, usage: { calls: 0 } })
    }
    expect(next.calls.take()).toEqual([])
  })

  test('rows are said to be possibly randomized though the key was refused longer ago than answers are kept', async () => {
    const team = (nth: number) => `{ team(id: "${String(games[nth]?.['home_team_id'])}") { name } }`
    const between: Parameters<Sample['graph']>[0] = {
      apiKey: 'sample-trial',
      between: async (request, service) => {
        const answer = await service(request)
        const { 'x-data-quality': _hidden, ...headers } = answer.headers
        return { ...answer, headers }
      },
    }
    const chances = `{ league { games(date: "2026-02-12") { prediction { homePercentage } } } }`
    const first = started(between)
    await first.query(team(0))
    now += 1.9 * day
    await first.query(chances)
    await first.stop()
    now += 0.5 * day
    const next = started(between)
    expect((await next.query(chances)).extensions).toMatchObject({
      dataQuality: 'MAY_BE_RANDOMIZED',
      usage: { calls: 0 },
    })
  })

  test('sizes and prices that answers have told are known again', async () => {
    const learned = ({ upstream }: { readonly upstream: Upstream }) => {
      const { estimates } = upstream.accountOf('sample-paid')
      const values = { ...basketball, start_date: today }
      return [
        estimates.isKnown(operations.getGames, values),
        estimates.bytes(operations.getGames, values, 'most'),
        estimates.tokens(operations.getGames, values),
      ]
    }
    const first = started()
    expect(learned(first)[0]).toBe(false)
    await first.query(page)
    const known = learned(first)
    expect(known[0]).toBe(true)
    await first.stop()
    expect(learned(started())).toEqual(known)
  })

  test('no key gets what another has paid for, and the file has neither keys nor their hashes', async () => {
    const team = `{ team(id: "${String(games[0]?.['home_team_id'])}") { name } }`
    const first = started({ apiKey: 'sample-paid' })
    await first.query(team)
    await first.stop()
    const other = started({ apiKey: sample.apiKey })
    await other.query(team)
    expect(other.calls.take()).toEqual(['team/read 1'])
    await other.stop()
    const database = new LibsqlDatabase(join(folder, ANSWER_FILE))
    const accounts = database.prepare('select distinct account from answers').all() as { account: string }[]
    database.close()
    expect(accounts).toHaveLength(2)
    for (const { account } of accounts) expect(account).toMatch(/^[\w-]{43}$/)
    expect(statSync(join(folder, ANSWER_FILE)).mode & 0o077).toBe(0)
  })

  test('another service’s answers are not served', async () => {
    const team = `{ team(id: "${String(games[0]?.['home_team_id'])}") { name } }`
    const first = started()
    await first.query(team)
    await first.stop()
    const answers = fileIn({ service: 'another' })
    const other = sample.graph({ answers, clock: () => now })
    await other.query(team)
    expect(other.calls.take()).toEqual(['team/read 1'])
  })
})

const bought = (nth: number, boughtAt = now, size = 1_000) => ({
  kind: 'answer' as const,
  operation: 'readTeams',
  arguments: { team_id: [`team ${nth}`] },
  boughtAt,
  bill: { tokens: 1, bytes: size, estimated: false },
  isRandomized: false,
  text: JSON.stringify({
    [`team ${nth}`]: { name: Array.from({ length: size / 8 }, () => Math.random()).join('') },
  }),
})

/** What a file gives back for a key. */
function restored(file: AnswerFile, key = 'key'): number[] {
  const moments: number[] = []
  file.open(key, (all) => moments.push(...all.map(({ boughtAt }) => boughtAt)))
  return moments
}

/** Runs `work` as a user who may not open the file. Root may open each one, so it becomes another user. */
function withoutRightsTo(file: string, work: () => void): void {
  const isRoot = process.geteuid?.() === 0
  chmodSync(file, isRoot ? 0o600 : 0)
  if (isRoot) chownSync(folder, 65_534, 65_534)
  if (isRoot) process.seteuid?.(65_534)
  try {
    work()
  } finally {
    if (isRoot) process.seteuid?.(0)
    chmodSync(file, 0o600)
  }
}

describe('the file', () => {
  test('keeps the latest of each form, oldest first, for as long as it may be of use', async () => {
    const file = fileIn()
    const { keep } = file.open('key', () => {})
    keep(bought(1, now - 3 * day))
    keep(bought(2, now - day))
    keep(bought(3, now))
    keep(bought(2, now - 1))
    await file.close()
    expect(restored(fileIn())).toEqual([now - 1, now])
    expect(restored(fileIn(), 'another key')).toEqual([])
  })

  test('gives back what is being written, once', async () => {
    const file = fileIn()
    file.open('key', () => {}).keep(bought(1, now, 400_000))
    const closed = file.close()
    // Its answer is large, so it is packed by another thread meanwhile.
    await new Promise(setImmediate)
    expect(restored(file)).toEqual([now])
    await closed
    expect(restored(fileIn())).toEqual([now])
  })

  test('is bounded: the oldest goes first', async () => {
    const file = fileIn({ mostKept: 50_000 })
    const { keep } = file.open('key', () => {})
    for (let nth = 0; nth < 100; nth += 1) keep(bought(nth, now + nth, 4_000))
    await file.close()
    const left = restored(fileIn())
    expect(left.at(-1)).toBe(now + 99)
    expect(left.length).toBeGreaterThan(5)
    expect(left.length).toBeLessThan(30)
  })

  test('has no more than so many bytes waiting to be written: the oldest go first', async () => {
    const file = fileIn({ mostWaiting: 50_000 })
    const { keep } = file.open('key', () => {})
    for (let nth = 0; nth < 100; nth += 1) keep(bought(nth, now + nth, 4_000))
    keep(bought(99, now + 100, 4_000))
    await file.close()
    const left = restored(fileIn())
    expect(left.at(-1)).toBe(now + 100)
    expect(left.length).toBeGreaterThan(3)
    expect(left.length).toBeLessThan(12)
  })

  test.each([
    ['no database at all', () => writeFileSync(join(folder, ANSWER_FILE), 'x'.repeat(10_000))],
    ['cut to nothing', () => writeFileSync(join(folder, ANSWER_FILE), '')],
    [
      'damaged in its middle',
      () => {
        const file = join(folder, ANSWER_FILE)
        const { size } = statSync(file)
        expect(size).toBeGreaterThan(20_000)
        writeFileSync(file, Buffer.alloc(size - 4_096, 7), { flag: 'r+' })
      },
    ],
  ])('that is %s is replaced by an empty one, with one warning', async (_how, damage) => {
    const file = fileIn()
    const { keep } = file.open('key', () => {})
    for (let nth = 0; nth < 20; nth += 1) keep(bought(nth, now + nth))
    await file.close()
    damage()
    const next = fileIn()
    expect(restored(next)).toEqual([])
    expect(warnings).toEqual([expect.stringMatching(/was damaged .* replaced by an empty one/)])
    next.open('key', () => {}).keep(bought(1))
    await next.close()
    expect(restored(fileIn())).toEqual([now])
    expect(warnings).toHaveLength(1)
  })

  test('an answer in it that cannot be read harms no other: the key is answered', async () => {
    const team = String(games[0]?.['home_team_id'])
    const file = fileIn()
    const { keep } = file.open('sample-paid', () => {})
    keep({ ...bought(1), text: '{"half":' })
    keep({ ...bought(2), text: '"of an unknown shape"' })
    keep({ ...bought(3), operation: 'readNothing' })
    keep({ ...bought(4), arguments: { team_id: [team] }, text: `{"${team}":{"name":"Kept"}}` })
    await file.close()
    const graph = sample.graph({ answers: fileIn(), clock: () => now })
    const { data } = await graph.query(`{ team(id: "${team}") { name } }`)
    expect(data).toEqual({ team: { name: 'Kept' } })
    expect(graph.calls.sent).toEqual([])
  })

  test('that is replaced while it is used has after a restart what was bought since', async () => {
    const file = fileIn()
    const { keep } = file.open('key', () => {})
    const damaged = Object.assign(new Error('database disk image is malformed'), { code: 'SQLITE_CORRUPT' })
    vi.spyOn(AnswerTable.prototype, 'newestOf').mockImplementationOnce(() => {
      throw damaged
    })
    expect(restored(file, 'another key')).toEqual([])
    expect(warnings).toEqual([expect.stringMatching(/was damaged/)])
    keep(bought(1))
    await file.close()
    expect(restored(fileIn())).toEqual([now])
  })

  test('that is whole but cannot be opened now is left as it is', async () => {
    const file = fileIn()
    const { keep } = file.open('key', () => {})
    keep(bought(1))
    await file.close()
    const path = join(folder, ANSWER_FILE)
    withoutRightsTo(path, () => expect(() => fileIn()).toThrow(/open/))
    expect(warnings).toEqual([])
    expect(restored(fileIn())).toEqual([now])
  })

  test('that cannot be read for a moment is left as it is', async () => {
    const file = fileIn()
    const { keep } = file.open('key', () => {})
    keep(bought(1))
    await file.close()
    const next = fileIn()
    const failed = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_READ' })
    vi.spyOn(AnswerTable.prototype, 'newestOf').mockImplementationOnce(() => {
      throw failed
    })
    expect(restored(next)).toEqual([])
    expect(warnings).toEqual([])
    expect(restored(next)).toEqual([now])
  })

  test('that is deleted while it is open is replaced, and has after a restart what was bought since', async () => {
    const file = fileIn()
    const { keep } = file.open('key', () => {})
    keep(bought(1))
    await expect
      .poll(() => new LibsqlDatabase(join(folder, ANSWER_FILE)).prepare('select * from answers').all())
      .toHaveLength(1)
    rmSync(folder, { recursive: true, force: true })
    keep(bought(2, now + 1))
    await file.close()
    expect(warnings).toEqual([expect.stringContaining('was deleted')])
    expect(restored(fileIn())).toEqual([now + 1])
  })

  test('that another process writes to while it drains has its keys too', async () => {
    const [draining, next] = [fileIn(), fileIn()]
    expect(restored(next, 'late')).toEqual([])
    draining.open('late', () => {}).keep(bought(1))
    await draining.close()
    await expect.poll(() => restored(next, 'late')).toEqual([now])
  })

  test('leaves out an answer that is torn, and keeps the others', async () => {
    const file = fileIn()
    const { keep } = file.open('key', () => {})
    keep(bought(1, now - 2))
    keep(bought(2, now - 1))
    await file.close()
    const database = new LibsqlDatabase(join(folder, ANSWER_FILE))
    database.prepare('update answers set body = substr(body, 1, 300) where bought_at = ?').run(now - 2)
    database.close()
    expect(restored(fileIn())).toEqual([now - 1])
    expect(warnings).toEqual([])
  })
})
