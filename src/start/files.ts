import type { Capabilities } from '../capabilities/capabilities.ts'
import type { Config } from '../config.ts'
import { clientBudgetsOf } from './ledger.ts'
import type { ClientBudgets } from '../money/client-budgets.ts'
import { readDocuments } from '../server/documents.ts'
import type { Documents } from '../server/documents.ts'
import { replaying } from '../calls/tape/replaying.ts'
import type { Replayed } from '../calls/tape/replaying.ts'
import { capabilitiesOf } from './stores.ts'

/** The content of the files that variables name. */
export interface Files {
  readonly capabilities: Capabilities
  readonly clientBudgets: ClientBudgets
  readonly documents: Documents
  /** The tape that is replayed instead of asking the service; null if none is. */
  readonly replayed: Replayed | null
}

/** Reads them before anything is opened. Throws an error that names the variable. */
export function filesOf(config: Config): Files {
  const { trustedDocuments, trustedDocumentsOnly, upstreamTape } = config
  const replayed = upstreamTape?.mode === 'replay' ? replaying(upstreamTape.file) : null
  return {
    capabilities: capabilitiesOf(config, replayed),
    clientBudgets: clientBudgetsOf(config),
    documents: readDocuments(trustedDocuments, trustedDocumentsOnly),
    replayed,
  }
}
