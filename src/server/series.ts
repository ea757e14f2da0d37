import { Counter } from 'prom-client'
import type { Registry } from 'prom-client'

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
 * A counter whose series are counted here and added to the registry when it is read. prom-client checks and
 * joins the labels at each count, which costs more than finding a kept answer.
 */
export function seriesOf<Label extends string>({
  labelNames = [],
  ...options
}: CounterOptions<Label>): (labels: Readonly<Record<Label, string>>) => Series {
  const all: PendingSeries<Label>[] = []
  const counter = new Counter({
    ...options,
    labelNames: [...labelNames],
    collect: () => all.forEach((series) => series.addTo(counter)),
  })
  return (labels) => {
    const series = new PendingSeries(labels)
    all.push(series)
    return series
  }
}

class PendingSeries<Label extends string> implements Series {
  readonly #labels: Readonly<Record<Label, string>>
  #pending = 0
  #hasCounted = false

  constructor(labels: Readonly<Record<Label, string>>) {
    this.#labels = labels
  }

  inc(count = 1): void {
    this.#pending += count
    this.#hasCounted = true
  }

  /** Adds what was counted since it was last read. A series without a count stays absent. */
  addTo(counter: Counter<Label>): void {
    if (!this.#hasCounted) return
    counter.inc(this.#labels, this.#pending)
    this.#pending = 0
    this.#hasCounted = false
  }
}
