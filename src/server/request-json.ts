/** Maximum nesting of the JSON of a request, and so the depth of every recursion over it: pages need a few levels. */
const mostDepth = 64

/** Whether a value parsed from JSON is nested too deep to be read any further. */
export function isTooDeep(value: unknown, left = mostDepth): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (left === 0) return true
  // Without lists of values and functions for them, which take longer than the parsing of a long list.
  if (Array.isArray(value)) {
    for (const part of value) if (isTooDeep(part, left - 1)) return true
    return false
  }
  const members = value as Record<string, unknown> // it is parsed from JSON
  for (const name in members) if (isTooDeep(members[name], left - 1)) return true
  return false
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown) => typeof value === 'string'

/** The types of the members of a request, each of which may be missing or null. */
const types = {
  query: [isText, 'text'],
  operationName: [isText, 'text'],
  variables: [isObject, 'an object'],
  extensions: [isObject, 'an object'],
} as const

/** What is wrong with the JSON of a request, in words for its sender; null if it can be read. */
export function faultOfJson(request: unknown): string | null {
  if (isTooDeep(request)) return `The JSON of a request may be nested ${mostDepth} levels deep.`
  if (!isObject(request)) return null // Yoga refuses it.
  for (const [name, [isValid, type]] of Object.entries(types)) {
    const value = request[name] ?? null
    if (value !== null && !isValid(value)) return `The ${name} of a request must be ${type}.`
  }
  return null
}

/** Maximum characters of an operation's id, which the client chooses and each of its messages repeats. */
const longestId = 256

export const isLongId = (id: string) => id.length > longestId
