import { isRow } from '../rows/entry.ts'
import type { RawRow } from '../specification/raw-row.ts'

/** Shorter texts are no secrets, and parts of other words. */
const shortestKey = 8

/** What replaces a key and an address. */
const [hiddenKey, hiddenAddress] = ['[key]', '[address]']

/** Removes a key and the service's address from texts that the service wrote. It may repeat them in an error. */
export function redacted(text: string, apiKey: string, hosts: readonly string[] = []): string {
  const without = (rest: string, secret: string, instead: string) =>
    writtenForms(secret).reduce((left, form) => left.replaceAll(form, instead), rest)
  const keyless = apiKey.length < shortestKey ? text : without(text, apiKey, hiddenKey)
  return hosts.reduce((rest, host) => without(rest, host, hiddenAddress), keyless)
}

/**
 * An answer without the key, also in its names: rows are stored, logged and shown to clients. The same object if
 * its text does not have the key.
 */
export function withoutKey(body: RawRow, text: string, apiKey: string): RawRow {
  const clean = (part: string) => redacted(part, apiKey)
  return clean(text) === text ? body : cleanRow(body, clean)
}

type Clean = (text: string) => string

const cleanRow = (row: RawRow, clean: Clean): RawRow =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [clean(name), cleanValue(value, clean)]))

function cleanValue(value: unknown, clean: Clean): unknown {
  if (isRow(value)) return cleanRow(value, clean)
  if (Array.isArray(value)) return value.map((one) => cleanValue(one, clean))
  const text = String(value)
  const rest = clean(text)
  return rest === text ? value : rest
}

/**
 * The host of an address, with its port and without. A name without a dot, as in a container network, may be any
 * word in a row, so it counts only with its port.
 */
export function hostsOf(address: string): readonly string[] {
  if (address === '') return []
  const { host, hostname } = new URL(address)
  return [host, hostname].filter((name) => /[.:]/.test(name))
}

/** A text as it is, in JSON and in an address, longest first. */
function writtenForms(text: string): readonly string[] {
  const json = JSON.stringify(text).slice(1, -1)
  const url = encodeURIComponent(text)
  const inLowerCase = url.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase())
  const forms = new Set([text, json, json.replaceAll('/', '\\/'), url, inLowerCase])
  return [...forms].toSorted((a, b) => b.length - a.length)
}
