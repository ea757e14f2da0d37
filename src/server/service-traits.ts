import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Upstream } from '../account/upstream.ts'
import type { Log } from './request-log.ts'

/** Logs once, and counts, each assumption that is wrong and each difference from the specification. */
export function tellServiceTraits(
  { capabilities }: Upstream,
  registers: Registry[],
  log: Log | undefined,
): void {
  const drift = new Gauge({
    name: 'statline_service_drift_rows',
    help: 'Rows that differ from the specification, of those that were looked at, by kind and place.',
    labelNames: ['kind', 'where'],
    registers,
    collect() {
      for (const { kind, where, count } of capabilities.drift.lines) drift.set({ kind, where }, count)
    },
  })
  const findings = new Gauge({
    name: 'statline_service_findings',
    help: 'What the service does otherwise than assumed: 1 for each question, as statline doctor names it.',
    labelNames: ['question', 'found'],
    registers,
    collect() {
      findings.reset()
      for (const { name, found } of capabilities.differences) findings.set({ question: name, found }, 1)
    },
  })
  capabilities.drift.onNew(({ kind, where }) =>
    log?.info({ drift: kind, where }, 'The service sends something otherwise than specified.'),
  )
  capabilities.onFinding(({ name, assumed, found, consequence }) =>
    log?.info({ question: name, assumed, found, consequence }, 'The service works otherwise than assumed.'),
  )
}
