import { Component, StrictMode, Suspense } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { Client } from 'statline-client'
import { StatlineProvider, useClient, useSuspenseScoreboard } from 'statline-client/react'
import { longest, until } from './until'

const date = '2026-02-14'

/** A boundary whose button asks again, as docs/client.md describes it. */
class Boundary extends Component<{ onRetry: () => void; children: ReactNode }, { error: Error | null }> {
  override state = { error: null as Error | null }
  static getDerivedStateFromError = (error: Error) => ({ error })
  override render() {
    const retry = () => {
      this.props.onRetry()
      this.setState({ error: null })
    }
    return this.state.error ? <button onClick={retry}>{this.state.error.name}</button> : this.props.children
  }
}

function Retried({ children }: { children: ReactNode }) {
  const client = useClient()
  return <Boundary onRetry={() => client.reset()}>{children}</Boundary>
}

function Games() {
  const { data } = useSuspenseScoreboard({ date })
  return <p>{data.league?.games?.length} games</p>
}

/** What a page shows at first, and after each press of the button. */
export async function recover(url: string): Promise<string[]> {
  let key = ''
  let requests = 0
  const fetch: typeof globalThis.fetch = (...asking) => {
    requests += 1
    return requests === 1 ? Promise.reject(new TypeError('fetch failed')) : globalThis.fetch(...asking)
  }
  const headers = () => ({ ...(key && { 'x-api-key': key }) })
  const client = new Client({ url, fetch, retries: 0, timeoutMs: longest, headers })
  const element = document.createElement('div')
  const root = createRoot(element, { onCaughtError: () => {} })
  root.render(
    <StrictMode>
      <StatlineProvider client={client}>
        <Retried>
          <Suspense fallback="loading">
            <Games />
            <Games />
          </Suspense>
        </Retried>
      </StatlineProvider>
    </StrictMode>,
  )
  const told: string[] = []
  const note = async (sent: number) => {
    await until(() => requests === sent && /Error|games/.test(element.textContent ?? ''))
    told.push(`${element.textContent} ${requests}`)
  }
  const press = () => element.querySelector('button')?.click()
  await note(1)
  press()
  await note(2)
  key = 'sample-paid'
  press()
  await note(3)
  root.unmount()
  return told
}
