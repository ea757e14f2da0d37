import { collectDefaultMetrics, Registry } from 'prom-client'

let measured: Registry | undefined

/**
 * Adds what prom-client measures of the process: CPU time, memory, event loop, garbage collection. All apps of a
 * process share one measurement, because each starts a timer of 10 ms and an observer that never stop.
 */
export function registerProcessMetrics(registry: Registry): void {
  if (!measured) {
    measured = new Registry()
    collectDefaultMetrics({ register: measured })
  }
  for (const { name } of measured.getMetricsAsArray()) {
    const metric = measured.getSingleMetric(name)
    if (metric) registry.registerMetric(metric)
  }
}
