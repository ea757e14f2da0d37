import { createRoot } from 'react-dom/client'
import { Client } from 'statline-client'
import { StatlineProvider, useScoreboard } from 'statline-client/react'
import { until } from './until'

const date = '2026-02-14'

interface Sent {
  readonly variables: { readonly date: string }
  readonly extensions?: { readonly maxAge?: number }
}

function Polled() {
  const { refetch } = useScoreboard({ date }, { pollMs: 20, maxAge: 600 })
  return <button onClick={refetch} />
}

function Unpolled() {
  useScoreboard({ date: '2026-02-13' }, { pollMs: 0 })
  return null
}

/** The `maxAge` of each query of a page that polls one day, and how often it asks for a day with `pollMs: 0`. */
export async function poll(url: string): Promise<{ ages: readonly unknown[]; unpolled: number }> {
  const sent: Sent[] = []
  const fetch: typeof globalThis.fetch = (to, init) => {
    sent.push(JSON.parse(String(init?.body)) as Sent) // the client's own
    return globalThis.fetch(to, init)
  }
  const element = document.createElement('div')
  const root = createRoot(element)
  root.render(
    <StatlineProvider client={new Client({ url, fetch })}>
      <Polled />
      <Unpolled />
    </StatlineProvider>,
  )
  const of = (day: string) => sent.filter(({ variables }) => variables.date === day)
  await until(() => of(date).length >= 3)
  element.querySelector('button')?.click()
  await until(() => of(date).length >= 4)
  root.unmount()
  return {
    ages: of(date)
      .slice(0, 4)
      .map(({ extensions }) => extensions?.maxAge ?? null),
    unpolled: of('2026-02-13').length,
  }
}
