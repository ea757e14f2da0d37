import { noUsage } from '../account/plan-entry.ts'
import { clientName, keyOf } from './caller.ts'
import type { Billing } from './caller.ts'
import type { SenderOf } from './log-line.ts'

/**
 * The sender of a request that is refused, which spends nothing. It gets no account: anyone can send any
 * number of keys.
 */
export const refusedSender =
  (billing: Billing): SenderOf =>
  (header) => {
    const apiKey = keyOf(billing, header)
    const { ledgers } = billing.upstream
    const fingerprint = apiKey === '' ? null : ledgers.passingFingerprint(apiKey)
    return {
      client: clientName(header),
      account: { fingerprint },
      spent: noUsage,
      tokensByOperation: {},
      attempts: 0,
    }
  }
