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
