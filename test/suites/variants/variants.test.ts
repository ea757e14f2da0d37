import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSample } from '../../graph/harness.ts'
import type { Sample } from '../../graph/harness.ts'
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
import { variants } from '../../service/variants/variants.ts'

/**
 * A page whose calls depend on which answer comes first: a conference is looked up through the game of the current rating, which is read
 * by its id where the season's games have not come yet.
 */
const raced = 'the whole team page'

const priced = <T extends { readonly name: string }>(those: readonly T[]) =>
  those.filter(({ name }) => name !== raced)

let sample: Sample
let asked: readonly Asked[]

describe('every query of the bill benchmark, against every variant of the service', () => {
  beforeAll(async () => {
    sample = await startSample()
    asked = await pagesOver(sample)
  })
  afterAll(() => sample.close())

  it('is there', () => {
    expect(asked.length).toBeGreaterThan(45)
  })

  describe.each(variants)('a service with $name', (variant) => {
    it('answers the same at the least bill once the doctor has seen it', async () => {
      const { capabilities } = await examineOf(variant, sample)
      const told = await answersOf(variant, sample, asked, restarted(capabilities))
      expect(lies(told, asked)).toEqual([])
      if (variant.isWhole === false) return
      expect(failures(told)).toEqual([])
      expect(billsOf(priced(told))).toEqual(leastBills(variant, priced(asked)))
    })

    it('answers the same, or says that it cannot, without the doctor', async () => {
      const told = await answersOf(variant, sample, asked, knowingNothing())
      expect(lies(told, asked)).toEqual([])
    })
  })
})
