import { today } from '../routing/days.ts'
import { wholeDayOf } from './numbers.ts'

/** A day in words, with its year if that is not this one: `Saturday, February 14`. */
export function dayInWords(date: string): string {
  const words = wholeDayOf(date)
  return date.slice(0, 4) === today().slice(0, 4) ? words.replace(/, \d{4}$/, '') : words
}
