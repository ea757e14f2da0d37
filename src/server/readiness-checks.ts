import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import { report } from './report.ts'

/** Why a part does not work. The reason is public, so it contains no key, address or path. */
export interface Trouble {
  readonly reason: string
  /** Whether no query can be answered without the part. */
  readonly isFatal?: boolean
}

/** Checks a part; null if it works. Every probe calls it, so it does not start work of its own. */
export type Check = () => Trouble | null

export interface Part {
  readonly status: 'ok' | 'degraded' | 'failed'
  readonly reason?: string
}

/** The answer of `/ready`. */
export interface Readiness {
  /** `degraded`: queries are answered, but not as they should be. */
  readonly status: 'ready' | 'degraded' | 'unready'
  readonly parts: Readonly<Record<string, Part>>
}

/** The parts that queries need, each with a check of its state. */
export class ReadinessChecks {
  readonly #checks = new Map<string, Check>()

  constructor(checks: Readonly<Record<string, Check>> = {}) {
    for (const [part, check] of Object.entries(checks)) this.add(part, check)
  }

  /** Adds a part, or replaces its check. */
  add(part: string, check: Check): void {
    this.#checks.set(part, check)
  }

  get readiness(): Readiness {
    const parts = Object.fromEntries([...this.#checks].map(([part, check]) => [part, partOf(check)]))
    const states = new Set(Object.values(parts).map(({ status }) => status))
    const status = states.has('failed') ? 'unready' : states.has('degraded') ? 'degraded' : 'ready'
    return { status, parts }
  }
}

/** A check that throws means that the part has failed. The error is printed and not shown to clients. */
function partOf(check: Check): Part {
  try {
    const trouble = check()
    if (trouble === null) return { status: 'ok' }
    return { status: trouble.isFatal ? 'failed' : 'degraded', reason: trouble.reason }
  } catch (error) {
    report(error)
    return { status: 'failed', reason: 'Its state cannot be told.' }
  }
}

export const jsonHeaders = Object.freeze({
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
})

/** The status and the body of a readiness check, as JSON. */
export function readyAnswer(readiness: Readiness): { readonly status: number; readonly body: string } {
  return {
    status: readiness.status === 'unready' ? 503 : 200,
    body: `${JSON.stringify(readiness, null, 2)}\n`,
  }
}

/** A gauge for each part: 0 while it works. */
export function countDegraded(checks: ReadinessChecks, registers: Registry[]): void {
  const gauge = new Gauge({
    name: 'statline_degraded',
    help: 'Whether a part works less than it should, as /ready tells: 0 no, 1 degraded, 2 failed.',
    labelNames: ['part'],
    registers,
    collect() {
      gauge.reset()
      for (const [part, { status }] of Object.entries(checks.readiness.parts))
        gauge.set({ part }, ['ok', 'degraded', 'failed'].indexOf(status))
    },
  })
}
