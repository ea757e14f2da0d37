import { asSpecified } from '../../capabilities/conversions.ts'
import { filterName, filtersOf } from '../../capabilities/questions/filters.ts'
import { longestList, nameOf, several } from '../../specification/operation.ts'
import type { Arguments, Operation } from '../../specification/operation.ts'
import { keepNarrowed } from '../../account/keep.ts'
import type { Answered, Body } from '../../wire/answer.ts'
import { isRow } from '../../rows/entry.ts'
import type { Account } from '../../account/account.ts'
import { withoutKey } from '../../account/redaction.ts'
import type { RawRow } from '../../specification/raw-row.ts'

/** An answer in the specified form. */
interface Reading {
  readonly body: Body
  readonly text: string
  /** The filters that the service ignored, as the rows show. */
  readonly ignored: readonly string[]
  /** The arguments that it answers: those of the call without the ignored ones. */
  readonly arguments: Arguments
}

const bracket = '['.charCodeAt(0)

/** Removes the key from an answer, inspects it, and converts it if the service writes rows in another form. */
export function asRead(
  { upstream, apiKey }: Account,
  operation: Operation,
  values: Arguments,
  received: Body,
  text: string,
): Reading {
  const { capabilities, inspector } = upstream
  const clean = withoutKey(received, text, apiKey)
  const isList = text.charCodeAt(0) === bracket
  if (isList && operation.answer === 'rows' && text.length > 2) capabilities.note('rows', 'list')
  inspector.look(operation, clean)
  // After the look: what this answer shows holds for it too.
  const { conversions } = capabilities.choices
  const body = conversions ? asSpecified(operation, clean, conversions) : clean
  const ignored = ignoredIn(operation, values, body)
  return {
    body,
    text: conversions || isList || body !== received ? JSON.stringify(body) : text,
    ignored,
    arguments: ignored.length === 0 ? values : without(values, ignored),
  }
}

/**
 * The number of rows that are checked to see whether a filter was applied. A service that ignores a filter
 * returns the whole table.
 */
const lookedAt = 8

/**
 * Whether a call's answer may be read again after its rows are stored: to be joined with others if the call
 * has lists, or to be filtered.
 */
export const isReadAgain = (operation: Operation, values: Arguments): boolean =>
  filtersOf.has(nameOf(operation)) || longestList(values) !== undefined

function ignoredIn(operation: Operation, values: Arguments, body: Body): readonly string[] {
  const names = filtersOf.get(nameOf(operation))
  if (!names || operation.answer !== 'rows') return []
  const keys = Object.keys(body)
  const step = Math.max(1, Math.floor((keys.length - 1) / (lookedAt - 1)))
  const ignored = new Set<string>()
  for (let at = 0; at < keys.length; at += step) {
    const row = body[keys[at] ?? '']
    if (!isRow(row)) continue
    for (const name of names) if (values[name] !== undefined && !fits(row, name, values)) ignored.add(name)
  }
  return [...ignored]
}

/** Whether a row passes the filter on one column. */
function fits(row: RawRow, name: string, values: Arguments): boolean {
  const value = row[name]
  if (value === undefined || value === null || typeof value === 'object') return true
  const text = String(value)
  return several(values[name] ?? []).some((one) => String(one) === text)
}

/** Applies the filters that the service ignored. */
export function narrowed(
  account: Account,
  operation: Operation,
  values: Arguments,
  { body, boughtAt }: Answered,
): Answered {
  const names = (filtersOf.get(nameOf(operation)) ?? []).filter((name) => values[name] !== undefined)
  const fit = Object.fromEntries(
    Object.entries(body).filter(([, row]) => isRow(row) && names.every((name) => fits(row, name, values))),
  )
  return keepNarrowed(account, { operation, arguments: values, body: fit, boughtAt, bytes: 0 })
}

/** Arguments without the ignored ones. */
export const without = (values: Arguments, names: readonly string[]): Arguments =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))

/** Remembers ignored filters. */
export function noteIgnored({ upstream }: Account, operation: Operation, names: readonly string[]): void {
  for (const name of names) upstream.capabilities.note(filterName(operation, name), 'ignored')
}
