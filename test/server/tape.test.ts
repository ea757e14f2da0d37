import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import {
  ConnectionLostError,
  TimeoutError,
  UnavailableError,
  UnsentError,
  UpstreamError,
} from '../../src/errors/errors.ts'
import { recording } from '../../src/calls/tape/recording.ts'
import { replaying } from '../../src/calls/tape/replaying.ts'
import { TapeError } from '../../src/calls/tape/tape.ts'
import type { Outgoing } from '../../src/wire/transport.ts'
import { graphOver, season, startSample, today } from '../graph/harness.ts'
import type { Graph, Sample } from '../graph/harness.ts'

let sample: Sample
const folder = mkdtempSync(join(tmpdir(), 'tape-'))
const file = join(folder, 'day.tape')

beforeAll(async () => {
  sample = await startSample()
})
afterAll(async () => {
  await sample.close()
  rmSync(folder, { recursive: true, force: true })
})

const page = `{ league { games(date: "${today}") { status homeTeam { name elo { elo } } } } }`

test('a recorded page is answered again without the service, at the same bill', async () => {
  const recorded = await graphOver(recording(sample.transport, file)).query(page)
  const graph = graphOver(replaying(file))
  const replayed = await graph.query(page)
  expect(replayed).toEqual(recorded)
  expect(replayed.extensions.usage.tokens).toBeGreaterThan(1)
  expect(graph.upstream.ledgers.totals().tokens).toBe(replayed.extensions.usage.tokens)
  expect(readFileSync(file, 'utf8')).not.toContain('sample-paid')
})

test('a call that is not on the tape is an error that names it', async () => {
  const { errors, extensions } = await graphOver(replaying(file)).query(
    `{ league { ranking(subject: TEAM, season: ${season}, orderBy: "points", first: 1) { totalCount } } }`,
  )
  expect(errors).toMatchObject([
    {
      path: ['league', 'ranking'],
      message: expect.stringMatching(/^The tape has no answer to ranking\/download .*Record it again\.$/),
      extensions: { code: 'UPSTREAM_ERROR' },
    },
  ])
  expect(extensions.usage).toMatchObject({ tokens: 0, bytes: 0 })
})

test('answers to the same call come in the order in which they were recorded, then the last again', async () => {
  const two = join(folder, 'two.tape')
  const organizations = '{ organizations { name } }'
  await graphOver(recording(sample.transport, two)).query(organizations)
  const [line = ''] = readFileSync(two, 'utf8').split('\n')
  const lines = ['first', 'second'].map((name) =>
    line.replaceAll(/\\"name\\":\\"[^"]*\\"/g, `\\"name\\":\\"${name}\\"`),
  )
  const graph = graphOver(replaying(write(two, lines)), { freshFor: { reference: 0, current: 0 } })
  const names: unknown[] = []
  for (let nth = 0; nth < 3; nth += 1) {
    const { data } = await graph.query<{ organizations: { name: string }[] }>(organizations)
    names.push(data.organizations[0]?.name)
  }
  expect(names).toEqual(['first', 'second', 'second'])
})

function write(to: string, lines: readonly string[]): string {
  writeFileSync(to, `${lines.join('\n')}\n`)
  return to
}

test('a tape that is missing or damaged, or cannot be written, is one line', () => {
  expect(() => replaying(join(folder, 'nothing'))).toThrow(/^UPSTREAM_TAPE names .* cannot be read\.$/)
  for (const line of ['{', '{"Scores":{"cold":20,"warm":0}}'])
    expect(() => replaying(write(join(folder, 'bad'), [line]))).toThrow(
      /^UPSTREAM_TAPE names .* cannot be read as a tape\.$/,
    )
  expect(() => recording(sample.transport, join(folder, 'no/folder'))).toThrow(/cannot be written\.$/)
})

test('a tape that is being recorded is not begun again by another process', async () => {
  const taken = join(folder, 'taken.tape')
  const transport = (request: Outgoing) => sample.transport(request) // without its end
  const first = recording(transport, taken)
  await graphOver(first).query('{ organizations { name } }')
  const recorded = readFileSync(taken, 'utf8')
  expect(() => recording(transport, taken)).toThrow(
    new TapeError(
      `UPSTREAM_TAPE names ${JSON.stringify(taken)}, which cannot be written, because another process records on it.`,
    ),
  )
  expect(readFileSync(taken, 'utf8')).toBe(recorded)
  await first.close?.()
  const again = recording(transport, taken)
  expect(readFileSync(taken, 'utf8')).toBe('')
  await again.close?.()
  expect(existsSync(`${taken}.lock`)).toBe(false)
})

test.each(['null', '5', '[]', '{"call":"x"}', '{"call":"x","status":200,"body":5,"headers":{}}'])(
  'a tape with the line %s is damaged',
  (line) => {
    expect(() => replaying(write(join(folder, 'odd'), [line]))).toThrow(TapeError)
  },
)

test('a tape without answers is replayed with a warning', () => {
  const warnings: string[] = []
  const empty = write(join(folder, 'empty'), [])
  replaying(empty, (text) => warnings.push(text))
  expect(warnings).toEqual([`UPSTREAM_TAPE names ${JSON.stringify(empty)}, which has no answers.`])
})

test('a line that was cut off is left out with a warning, because its process was killed', async () => {
  const whole = readFileSync(file, 'utf8')
  const cut = join(folder, 'cut')
  const warnings: string[] = []
  writeFileSync(cut, `${whole}${whole.slice(0, 200)}`)
  const { errors } = await graphOver(replaying(cut, (text) => warnings.push(text))).query(page)
  expect(errors).toBeUndefined()
  expect(warnings).toEqual([
    expect.stringMatching(/^UPSTREAM_TAPE names .*cut", which has 1 line that was cut off\./),
  ])
})

test('a line after one that was written in part is whole', async () => {
  const [partial, away] = [join(folder, 'partial'), join(folder, 'away')]
  const graph = graphOver(recording(sample.transport, partial, { warn: () => {} }))
  // A full disk leaves a part of a line and fails.
  appendFileSync(partial, '{"call":"team')
  renameSync(partial, away)
  mkdirSync(partial)
  await graph.query('{ organizations { name } }')
  rmSync(partial, { recursive: true })
  renameSync(away, partial)
  await graph.query(page)
  expect((await graphOver(replaying(partial, () => {})).query(page)).errors).toBeUndefined()
})

describe('a request that fails', () => {
  const cutOff = new UpstreamError('The statistics service sent an answer that is cut off.')
  const organizations = '{ organizations { name } }'
  const failures: readonly (readonly [string, readonly (Error | 'cut off' | 'cut off, without a bill')[]])[] =
    [
      ['is cut off', ['cut off']],
      ['is cut off, without a bill', ['cut off, without a bill']],
      ['is late', [new TimeoutError('The statistics service did not answer in time.')]],
      ['is not sent in time', [new UnsentError('The statistics service did not answer in time.')]],
      [
        'loses its connection twice',
        [1, 2].map(() => new ConnectionLostError('The service cannot be reached.')),
      ],
      ['is not connected at first', [new UnavailableError('The service cannot be reached.')]],
    ]

  test.each(failures)(
    'because it %s has the same outcome and the same bill in a replay',
    async (what, all) => {
      const tape = join(folder, `${what}.tape`)
      const left = [...all]
      const send = recording(async (request) => {
        const next = left.shift()
        if (next instanceof Error) throw next
        if (next === undefined) return sample.transport(request)
        const headers = next === 'cut off' ? { 'x-request-usage': '7' } : {}
        if (next === 'cut off') request.onHeaders?.(headers)
        return { status: 200, headers, body: '', bytes: 20, failure: cutOff }
      }, tape)
      const results = async (graph: Graph) => {
        const answers = [await graph.query(organizations), await graph.query(organizations)]
        return { answers, attempts: graph.calls.sent.length, ledger: graph.upstream.ledgers.totals() }
      }
      const recorded = await results(graphOver(send))
      expect(recorded.attempts).toBeGreaterThan(1)
      expect(await results(graphOver(replaying(tape)))).toEqual(recorded)
    },
  )

  test('because the process ends is not on the tape', async () => {
    const tape = join(folder, 'ends.tape')
    let cut = (_error: Error) => {}
    const sent = recording(() => new Promise((_answer, reject) => (cut = reject)), tape)
    const graph = graphOver(sent)
    const answer = graph.query(organizations)
    await expect.poll(() => graph.calls.sent.length).toBe(1)
    await sent.close?.()
    cut(new TimeoutError('late'))
    expect((await answer).errors).toHaveLength(1)
    expect(readFileSync(tape, 'utf8')).toBe('')
  })
})

test('a tape that cannot be written any more costs no answer, and is reported once', async () => {
  const inner = mkdtempSync(join(folder, 'gone-'))
  const warnings: string[] = []
  const graph = graphOver(
    recording(sample.transport, join(inner, 'a.tape'), { warn: (text) => warnings.push(text) }),
  )
  rmSync(inner, { recursive: true })
  const { data, errors, extensions } = await graph.query(page)
  expect(errors).toBeUndefined()
  expect(data).toMatchObject({ league: { games: expect.any(Array) } })
  expect(extensions.usage.tokens).toBeGreaterThan(1)
  expect(extensions.usage.estimated).toBeUndefined()
  expect(warnings).toEqual([
    expect.stringMatching(/^UPSTREAM_TAPE names .* cannot be written\. Answers are missing on it\.$/),
  ])
})

test('the variable names what to do and a file', () => {
  expect(readConfig({ UPSTREAM_TAPE: 'record:/a/b:c' }).upstreamTape).toEqual({
    mode: 'record',
    file: '/a/b:c',
  })
  expect(readConfig({}).upstreamTape).toBeNull()
})
