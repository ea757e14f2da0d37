import { describe, expect, test } from 'vitest'
import { TrialSigns } from '../../src/account/trial-signs.ts'

type Sign = readonly ['refused' | 'allowed', number]

function signsOf(...noted: readonly Sign[]): TrialSigns {
  const signs = new TrialSigns()
  for (const [what, at] of noted)
    if (what === 'refused') signs.noteRefused(at)
    else signs.noteAllowed(at)
  return signs
}

describe('what refusals tell of a key’s plan', () => {
  test('no row is in doubt before the first refusal', () => {
    expect(signsOf(['allowed', 1], ['allowed', 2]).suspectUntil).toBe(Number.NEGATIVE_INFINITY)
  })

  test('each row is in doubt until a bulk read is allowed, and then those bought before it', () => {
    expect(signsOf(['refused', 1]).suspectUntil).toBe(Number.POSITIVE_INFINITY)
    expect(signsOf(['refused', 1], ['allowed', 2], ['allowed', 3]).suspectUntil).toBe(2)
    expect(signsOf(['refused', 1], ['allowed', 2], ['refused', 3]).isTrial).toBe(true)
  })

  test('the order in which other instances’ answers come does not matter', () => {
    expect(signsOf(['allowed', 2], ['refused', 1]).suspectUntil).toBe(2)
    expect(signsOf(['allowed', 2], ['refused', 1], ['allowed', 5], ['refused', 1]).suspectUntil).toBe(2)
    expect(signsOf(['refused', 3], ['allowed', 2]).isTrial).toBe(true)
  })

  test('a clock that is set back changes no verdict', () => {
    const trial = signsOf(['allowed', 10], ['refused', 11])
    const paid = signsOf(['refused', 10], ['allowed', 11])
    for (const signs of [trial, paid]) signs.setBack(5)
    expect([trial.isTrial, paid.isTrial, paid.suspectUntil]).toEqual([true, false, 5])
    trial.noteAllowed(6)
    expect(trial.suspectUntil).toBe(6)
  })
})
