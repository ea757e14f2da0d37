import type { Span } from './graph.ts'

export const number = (value: number): string => Math.round(value).toLocaleString('en')

export const size = (bytes: number): string =>
  bytes < 1024 ? `${number(bytes)} B` : `${(bytes / 1024).toFixed(1)} KiB`

export const plural = (value: number, noun: string): string =>
  `${number(value)} ${noun}${value === 1 ? '' : 's'}`

export const span = ({ from, to }: Span, noun: string): string =>
  to === null
    ? `at least ${plural(from, noun)}`
    : from === to
      ? plural(from, noun)
      : `${number(from)}–${plural(to, noun)}`

export const clock = (moment: Date): string => moment.toLocaleTimeString('en-GB')
