import { useEffect, useState } from 'react'
import type { Typed } from 'statline-client'
import { league } from '../routing/route.ts'
import { usePriced } from './priced.tsx'

/** The variables of a query for seven days. */
type SevenDays = Record<'day1' | 'day2' | 'day3' | 'day4' | 'day5' | 'day6' | 'day7', string>
type Variables = SevenDays & { organizationId?: string | null; divisionId?: string | null }

interface Answer<Data> {
  readonly data: Data
  /** The days that were asked for. */
  readonly days: ReadonlySet<string>
}

interface Step<Data> {
  /** The days that it is about. */
  readonly of: string
  /** Whether it asks for all days; else for this many beside the first. */
  readonly days: 'all' | number
  /** Whether single days were tried, so that the rest waits for consent. */
  readonly isLast: boolean
  readonly kept: Answer<Data> | null
}

/** Days from one of them on, the later ones first: what follows, then what was before. */
export const daysFrom = (date: string, days: readonly string[]): string[] => [
  ...days.filter((day) => day >= date),
  ...days.filter((day) => day < date),
]

/** A day that is not asked for yet is the day that is known: it costs nothing. */
const variablesOf = (days: readonly string[], asked: ReadonlySet<string>, date: string): SevenDays => {
  const [day1 = date, day2 = date, day3 = date, day4 = date, day5 = date, day6 = date, day7 = date] =
    days.map((day) => (asked.has(day) ? day : date))
  return { day1, day2, day3, day4, day5, day6, day7 }
}

/**
 * A query for seven days, of which one is known: for all of them if that is within the page’s limit, else for
 * one more day at a time while it is. How many games a day has is not known before, but
 * each answer makes the next price better. What is left is offered for its price.
 */
export function useByDay<Data>(
  document: Typed<Data, Variables>,
  days: readonly string[],
  date: string,
  skip: boolean,
) {
  const of = [date, ...days].join(' ')
  const first: Step<Data> = { of, days: 'all', isLast: false, kept: null }
  const [last, setStep] = useState(first)
  const step = last.of === of ? last : first
  const others = daysFrom(date, days).slice(1)
  const asked = new Set([date, ...(step.days === 'all' ? others : others.slice(0, step.days))])
  const shown = usePriced(document, { ...variablesOf(days, asked, date), ...league() }, { skip })
  const { data, asks, failure, errors } = shown
  const isRefused = asks !== null || failure !== null || (data === null && errors.length > 0)
  const isWhole = asked.size > others.length
  useEffect(() => {
    if (isRefused && !step.isLast)
      setStep({ ...step, days: step.days === 'all' ? 1 : 'all', isLast: step.days !== 'all' })
    else if (data && step.days !== 'all' && !isWhole)
      setStep({ ...step, days: step.days + 1, kept: { data, days: asked } })
  })
  return {
    answer: data ? { data, days: asked } : step.kept,
    isWhole: data !== null && isWhole,
    isLoading: !skip && !(data !== null && isWhole) && !(step.isLast && isRefused),
    /** What is left, to be offered. */
    extra: { ...shown, asks: step.isLast ? asks : null },
  }
}
