import { describe, expect, test } from 'vitest'
import { KeyNames } from '../../../src/store/ledger/key-names.ts'

const madeUp = (names: KeyNames, count: number) => {
  for (let nth = 0; nth < count; nth += 1) names.of(`made up ${nth}`)
}

describe('the name of a key', () => {
  test('is translated when the secret changes, also after many other keys', () => {
    const names = new KeyNames('first')
    madeUp(names, 12_000)
    const before = names.of('real')
    expect(names.use('second')?.get(before)).toBe(names.of('real'))
    expect(names.shared(before)).toBe(names.of('real'))
    expect(names.sharedInText(`["${before}"]`)).toBe(`["${names.of('real')}"]`)
    expect(names.use('second')).toBeNull()
  })

  test('is translated where the key was billed before many others came', () => {
    const names = new KeyNames('first')
    const before = names.of('real')
    madeUp(names, 9_000)
    names.noteBilled(before)
    madeUp(names, 9_000)
    names.use('second')
    expect(names.shared(before)).toBe(names.of('real'))
  })

  test('is translated through several secrets, also back to an earlier one', () => {
    const names = new KeyNames('first')
    const before = ['second', 'third', 'first', 'fourth'].map((secret) => {
      const name = names.of('real')
      names.use(secret)
      return name
    })
    for (const name of before) expect(names.shared(name)).toBe(names.of('real'))
  })

  test('is not remembered where it spends nothing', () => {
    const names = new KeyNames('first')
    expect(names.hashOf('passing')).toBe(new KeyNames('first').of('passing'))
    expect(names.use('second')?.size).toBe(0)
  })

  test('is not remembered of a key that is longer than any', () => {
    const names = new KeyNames('first')
    const [long, longer] = ['x'.repeat(2_000), 'x'.repeat(2_001)]
    const before = names.of(long)
    names.of(longer)
    expect([...(names.use('second')?.keys() ?? [])]).toEqual([before])
  })

  test('is known of so many keys and earlier names only', () => {
    const names = new KeyNames('first')
    const [first, others] = [names.of('oldest'), 10_000]
    madeUp(names, others)
    const renamed = names.use('0')
    expect(renamed?.has(first)).toBe(false)
    expect(renamed?.size).toBe(others)
    const [name = ''] = renamed?.keys() ?? []
    expect(names.shared(name)).not.toBe(name)
    for (let nth = 1; nth <= 5; nth += 1) names.use(String(nth))
    expect(names.shared(name)).toBe(name)
  })
})
