import { patient } from '../../src/server/listen.ts'
import type { Patience } from '../../src/server/listen.ts'

const hour = 3_600_000

/** Limits that no test reaches. A server that waits for one of them when it closes lets its test end by vitest's limit. */
export const endless: Patience = {
  ...patient,
  headersMs: hour,
  requestMs: hour,
  idleMs: hour,
  readMs: hour,
  graceMs: hour,
}
