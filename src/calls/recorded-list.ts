import type { Arguments } from '../specification/operation.ts'

/** A recorded call with one list of values. */
export interface Listed {
  /** The name of the argument with the list. */
  readonly name: string
  readonly values: readonly string[]
  /** Identifies all calls that differ in the list's values only. */
  readonly others: string
}

/** The list of values in a call as a tape names it; null if it has none, or several. */
export function listedIn(call: string): Listed | null {
  const space = call.indexOf(' ')
  const entries = entriesIn(call.slice(space + 1))
  const [list, another] = entries.filter(([, value]) => Array.isArray(value))
  if (!list || another) return null
  const [name, values] = list
  const rest = entries.filter((entry) => entry !== list)
  return {
    name,
    values: [...new Set((values as readonly unknown[]).map(String))], // an array, as filtered above
    others: `${call.slice(0, space)} ${name} ${JSON.stringify(rest)}`,
  }
}

/** The arguments of a call as a tape names it. */
export const argumentsIn = (call: string): Arguments =>
  Object.fromEntries(entriesIn(call.slice(call.indexOf(' ') + 1))) as Arguments // as `callOf` wrote them

/** The arguments of a call; none if the text is not of this form. */
function entriesIn(text: string): readonly (readonly [name: string, value: unknown])[] {
  try {
    const entries: unknown = JSON.parse(text)
    return Array.isArray(entries) && entries.every(isEntry) ? entries : []
  } catch {
    return []
  }
}

const isEntry = (entry: unknown): entry is readonly [string, unknown] =>
  Array.isArray(entry) && entry.length === 2 && typeof entry[0] === 'string'
