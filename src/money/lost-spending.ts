import type { Spending } from './ledger-store.ts'
import { rounded } from './rounded.ts'

/** Maximum clients that are named. */
const mostNamed = 5

/** What the log says at the end of a process that could not write what was spent. */
export function lostText(lost: readonly Pick<Spending, 'client' | 'tokens' | 'calls'>[]): string {
  const byClient = new Map<string, number>()
  for (const { client, tokens } of lost) byClient.set(client, (byClient.get(client) ?? 0) + tokens)
  const tokens = rounded(lost.reduce((sum, one) => sum + one.tokens, 0))
  const calls = lost.reduce((sum, one) => sum + one.calls, 0)
  const clients = [...byClient].toSorted(([, one], [, other]) => other - one)
  const named = clients.slice(0, mostNamed).map(([client, own]) => `${client} ${rounded(own)}`)
  const more = clients.length > mostNamed ? `, and ${clients.length - mostNamed} more` : ''
  return `Bills could not be written and are lost: ${tokens} tokens, ${calls} calls. By client: ${named.join(', ')}${more}.`
}
