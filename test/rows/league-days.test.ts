import { describe, expect, test } from 'vitest'
import { LeagueDays } from '../../src/rows/league-days.ts'

const at = (text: string, zone?: string) => {
  const { date, until } = new LeagueDays(zone).at(Date.parse(text))
  return [date, new Date(until).toISOString()]
}

describe('a league’s day', () => {
  test('is New York’s, which begins four or five hours after that of UTC', () => {
    expect(at('2026-02-15T04:59:59.999Z')).toEqual(['2026-02-14', '2026-02-15T05:00:00.000Z'])
    expect(at('2026-02-15T05:00:00.000Z')).toEqual(['2026-02-15', '2026-02-16T05:00:00.000Z'])
    expect(at('2026-07-01T04:00:00.000Z')).toEqual(['2026-07-01', '2026-07-02T04:00:00.000Z'])
  })

  test('has 23 or 25 hours when clocks are changed', () => {
    expect(at('2026-03-08T05:00:00.000Z')).toEqual(['2026-03-08', '2026-03-09T04:00:00.000Z'])
    expect(at('2026-11-01T04:00:00.000Z')).toEqual(['2026-11-01', '2026-11-02T05:00:00.000Z'])
  })

  test('is that of another zone', () => {
    expect(at('2026-02-14T15:00:00.000Z', 'Asia/Tokyo')).toEqual(['2026-02-15', '2026-02-15T15:00:00.000Z'])
    expect(at('2026-02-14T11:59:00.000Z', 'Etc/GMT+12')).toEqual(['2026-02-13', '2026-02-14T12:00:00.000Z'])
  })

  test('is another one when the clock goes on, and when it is set back', () => {
    const days = new LeagueDays()
    const dateAt = (text: string) => days.at(Date.parse(text)).date
    expect(dateAt('2026-02-15T04:00:00Z')).toBe('2026-02-14')
    expect(dateAt('2026-02-15T06:00:00Z')).toBe('2026-02-15')
    expect(dateAt('2026-02-15T03:00:00Z')).toBe('2026-02-14')
  })
})
