/**
 * The tokens in the header `x-request-usage`; undefined if it is missing or unclear. The specification does
 * not show its format (§8), so only plain forms are read: a wrong number is worse than an estimate. These are
 * one number (`12`, `12.5`, `12,345`, `1e6`, `12 tokens`) and lists or JSON objects of named numbers
 * (`remaining=1000, used=7`), of which only names of usage count. Different numbers for the usage are
 * unclear.
 */
export function tokensIn(header: string | readonly string[] | undefined): number | undefined {
  if (header === undefined) return undefined
  const values = typeof header === 'string' ? [header] : header
  return onlyOne(values.map(tokensInValue))
}

/** Names of a request's usage. `total` and `remaining` are about the month. */
const usageNames =
  /^(?:tokens?|usage|used|cost|units?|credits|tokens[ _-]used|used[ _-]tokens|(?:x-)?request[ _-]usage)$/i

const amount = /^(\d+(?:\.\d+)?(?:e\+?\d+)?)(?:\s+(?:tokens?|units?|credits)(?:\s+used)?)?$/i

/** `12/500`: used of a limit. Without a name either number may be the limit. */
const share = /^(\d+(?:\.\d+)?)\s*\/\s*\d+(?:\.\d+)?$/

/** A comma between groups of three digits, as in `12,345`. In `12, 345` it separates two numbers. */
const thousands = /(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])/g

/** Longer texts are unclear, and patterns over them would take long. */
const longest = 1_000

/** Matches a number. */
const plain = /^\d{1,15}$/

function tokensInValue(text: string): number | undefined {
  if (plain.test(text)) return Number(text)
  if (text.length > longest) return undefined
  const trimmed = text.trim()
  if (trimmed.startsWith('{')) return tokensInObject(trimmed)
  const parts = trimmed
    .replaceAll(thousands, (number) => number.replaceAll(',', ''))
    .split(/[,;]/)
    .map(named)
  const usages = parts.filter(({ name }) => name !== undefined && usageNames.test(name))
  if (usages.length > 0) return onlyOne(usages.map(({ value }) => number(share.exec(value)?.[1] ?? value)))
  return onlyOne(parts.filter(({ name }) => name === undefined).map(({ value }) => number(value)))
}

interface Part {
  readonly name?: string
  readonly value: string
}

function named(text: string): Part {
  const [, name, value] = /^\s*"?([a-z][a-z _-]*?)"?\s*[:=]\s*"?([^"]*?)"?\s*$/i.exec(text) ?? []
  return name === undefined || value === undefined ? { value: text.trim() } : { name, value: value.trim() }
}

function tokensInObject(text: string): number | undefined {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return undefined
  }
  const usages = Object.entries(body as object).filter(([name]) => usageNames.test(name)) // its first character is {
  return onlyOne(usages.map(([, value]) => (typeof value === 'object' ? undefined : number(String(value)))))
}

/** Infinity and numbers beyond exact integers are unclear. */
function number(text: string): number | undefined {
  const value = Number(amount.exec(text)?.[1])
  return value <= Number.MAX_SAFE_INTEGER ? value : undefined
}

/** The number, if all are equal. */
function onlyOne(values: readonly (number | undefined)[]): number | undefined {
  const [first] = values
  return values.every((value) => value === first) ? first : undefined
}
