import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Capabilities } from '../../../src/capabilities/capabilities.ts'
import { allSuites } from '../../all-suites.ts'
import { startSample } from '../../graph/harness.ts'
import type { Sample } from '../../graph/harness.ts'
import { remembering } from '../../graph/remembering.ts'
import {
  answersOf,
  billsOf,
  examineOf,
  failures,
  knowingNothing,
  leastBills,
  lies,
  pagesOver,
  restarted,
} from '../../service/variants/against.ts'
import type { Asked } from '../../service/variants/against.ts'
import { compressedBills } from '../../service/variants/compressed-bills.ts'
import { variants } from '../../service/variants/variants.ts'

/** Each variant is learned over these: by day, by ids, by season, by search. */
const always = new Set([
  'scoreboard: teams, scores, predictions and lines',
  'the day’s games with both teams’ Elo',
  'season: schedule with opponents and lines',
  'five followed games: both boxscores',
  'the home team’s player lines',
])

/** Of the others a third, another for the next variant; all before a release. */
const learnedOver = (asked: readonly Asked[], nth: number) =>
  asked.filter(({ name }, at) => allSuites || always.has(name) || at % 3 === nth % 3)

describe('every query of the bill benchmark', () => {
  let sample: Sample
  let asked: readonly Asked[]
  beforeAll(async () => {
    const started = await startSample()
    // Every variant asks the same of it, so it answers each request once.
    sample = { ...started, transport: remembering(started.transport) }
    asked = await pagesOver(sample)
  })
  afterAll(() => sample.close())

  test('is asked', () => {
    expect(asked.length).toBeGreaterThanOrEqual(45)
    expect(asked.filter(({ name }) => always.has(name))).toHaveLength(always.size)
  })

  describe.each(variants)('a service with $name', (variant) => {
    const { differs, isWhole = true } = variant

    test('is told apart by the doctor, whose findings make the bill the least', async () => {
      const { lines, capabilities, tokens, trouble } = await examineOf(variant, sample)
      expect(trouble).toBeNull()
      expect(tokens).toBeLessThanOrEqual(25)
      const found = lines.filter(({ found: is, question }) => is !== null && is !== question.assumed)
      expect(found.map(({ question }) => question.name).toSorted()).toEqual(differs.toSorted())
      const told = await answersOf(variant, sample, asked, restarted(capabilities))
      expect(lies(told, asked)).toEqual([])
      if (!isWhole) return
      expect(failures(told)).toEqual([])
      expect(billsOf(told)).toEqual(leastBills(variant, asked))
    })

    test('is answered without the doctor, and a second start learns nothing anew', async () => {
      const some = learnedOver(asked, variants.indexOf(variant))
      const capabilities = knowingNothing()
      const told = await answersOf(variant, sample, some, capabilities)
      expect(lies(told, some)).toEqual([])
      const second = restarted(capabilities)
      const learned: string[] = []
      second.onFinding(({ name }) => learned.push(name))
      const again = await answersOf(variant, sample, some, second)
      expect(learned).toEqual([])
      expect(lies(again, some)).toEqual([])
      expect(failures(again)).toEqual(failures(told))
      if (failures(again).length === 0) expect(billsOf(again)).toEqual(leastBills(variant, some))
    })
  })

  test('compressed answers are asked for where they are found to cost less', async () => {
    const tokensOf = async (capabilities: Capabilities) => {
      const told = await answersOf(compressedBills, sample, asked, capabilities)
      return told.reduce((sum, { tokens }) => sum + tokens, 0)
    }
    const { capabilities } = await examineOf(compressedBills, sample)
    const compressed = await tokensOf(restarted(capabilities))
    expect(compressed).toBeLessThan((await tokensOf(knowingNothing())) / 3)
  })
})
