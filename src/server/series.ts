import { Counter } from 'prom-client'
import type { Registry } from 'prom-client'
import { rounded } from '../money/rounded.ts'

/** One time series of a counter: the count for one set of labels. */
export interface Series {
  inc(count?: number): void
}

interface CounterOptions<Label extends string> {
  readonly name: string
  readonly help: string
  readonly labelNames?: readonly Label[]
  readonly registers: Registry[]
}

/**
 * A counter whose series are counted here and put into the registry, rounded, when it is read. prom-client
 * checks and joins the labels at each count, which costs more than finding a kept answer.
 */
export function seriesOf<Label extends string>({
  labelNames = [],
  ...options
}: CounterOptions<Label>): (labels: Readonly<Record<Label, string>>) => Series {
  const all: CountedSeries<Label>[] = []
  const counter = new Counter({
    ...options,
    labelNames: [...labelNames],
    collect() {
      counter.reset()
      for (const series of all) series.addTo(counter)
    },
  })
  return (labels) => {
    const series = new CountedSeries(labels)
    all.push(series)
    return series
  }
}

class CountedSeries<Label extends string> implements Series {
  readonly #labels: Readonly<Record<Label, string>>
  #count = 0
  #hasCounted = false

  constructor(labels: Readonly<Record<Label, string>>) {
    this.#labels = labels
  }

  inc(count = 1): void {
    this.#count += count
    this.#hasCounted = true
  }

  /** A series without a count stays absent. */
  addTo(counter: Counter<Label>): void {
    if (this.#hasCounted) counter.inc(this.#labels, rounded(this.#count))
  }
}
