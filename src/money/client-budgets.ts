import { readFileSync } from 'node:fs'
import { recordedName } from './client-name.ts'

/** Monthly tokens by client name. `*` is the one budget that all other clients share. */
export type ClientBudgets = ReadonlyMap<string, number>

export const noClientBudgets: ClientBudgets = new Map()

/** The file of client budgets cannot be used. The message is one line. */
export class ClientBudgetsError extends Error {
  override readonly name = 'ClientBudgetsError'
}

/** Reads `{ "scoreboard": 20000, "*": 5000 }`. Throws ClientBudgetsError. */
export function readClientBudgets(file: string): ClientBudgets {
  const budgets = parsed(file)
  for (const [name, tokens] of Object.entries(budgets))
    if (!Number.isSafeInteger(tokens) || Number(tokens) < 0)
      throw fault(file, `the budget of ${JSON.stringify(name)} must be a whole number of tokens`)
  for (const name of Object.keys(budgets))
    if (recordedName(name) !== name || name === '')
      throw fault(file, `no client can have the name ${JSON.stringify(name)}: ${nameRule}`)
  return new Map(Object.entries(budgets) as [string, number][]) // just checked
}

const nameRule = 'names are recorded as at most 64 characters of printable ASCII, without spaces around them'

function parsed(file: string): object {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error
    throw fault(file, isMissing ? 'it cannot be read' : 'it is not JSON')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw fault(file, 'it must be an object of tokens by client name')
}

const fault = (file: string, reason: string) =>
  new ClientBudgetsError(`CLIENT_BUDGETS names ${JSON.stringify(file)}, and ${reason}.`)

/** The name of a client's budget; null if it has none. */
export const budgetNameOf = (budgets: ClientBudgets, client: string): string | null =>
  client !== '*' && budgets.has(client) ? client : budgets.has('*') ? '*' : null
