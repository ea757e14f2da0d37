import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { StrictMode, Suspense, useEffect } from 'react'
import type { ReactNode } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { Client } from 'statline-client'
import type { State } from 'statline-client'
import {
  StatlineProvider,
  useLeaderboard,
  useLiveScores,
  useSuspenseLeaderboard,
} from 'statline-client/react'
import { longest, until } from './until'

/** How many queries a page shows, each by two components. */
const count = 130

const numbers = Array.from({ length: count }, (_, at) => at + 1)

/** What a page has shown, and how many requests it has sent. */
interface Page {
  readonly shown: number
  readonly requests: number
}

const variables = (first: number) => ({ subject: 'PLAYER', orderBy: 'points', first }) as const

/** Says how many players it shows, and thus which query's answer it has. */
function Leaders({ first, onMount }: { first: number; onMount?: () => void }) {
  const { data } = useSuspenseLeaderboard(variables(first))
  useEffect(() => onMount?.(), [])
  return <i>{data.league?.ranking?.edges.length === first ? 'shown ' : 'wrong '}</i>
}

function Unsuspended({ first }: { first: number }) {
  const { data } = useLeaderboard(variables(first))
  return <i>{data?.league?.ranking?.edges.length === first ? 'shown ' : ''}</i>
}

function Live({ day }: { day: number }) {
  useLiveScores({ date: new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10) })
  return <i>shown </i>
}

/** A client that counts what it sends. A page that asks without end fails after a thousand requests. */
function counting(url: string) {
  const sent = { requests: 0 }
  const counted: typeof fetch = (...asking) =>
    (sent.requests += 1) > 1_000 ? Promise.reject(new Error('Too many requests')) : fetch(...asking)
  return { sent, client: new Client({ url, fetch: counted, retries: 0, timeoutMs: longest }) }
}

const page = (client: Client, children: ReactNode) => (
  <StrictMode>
    <StatlineProvider client={client}>{children}</StatlineProvider>
  </StrictMode>
)

const together = (
  <Suspense>
    {numbers.map((first) => [<Leaders key="a" first={first} />, <Leaders key="b" first={first} />])}
  </Suspense>
)

const separately = numbers.map((first) => (
  <Suspense key={first}>
    <Leaders first={first} />
    <Leaders first={first} />
  </Suspense>
))

/** All of the first components, then all of the second, so that those of one query are far apart. */
const twice = (one: (at: number) => ReactNode) => [
  <p key="a">{numbers.map(one)}</p>,
  <p key="b">{numbers.map(one)}</p>,
]

const shownIn = (html: string | null) => (html ?? '').split('shown ').length - 1

async function show(url: string, children: ReactNode, isDone: (page: Page) => boolean): Promise<Page> {
  const { client, sent } = counting(url)
  const element = document.createElement('div')
  const { createRoot } = await import('react-dom/client')
  const failures: unknown[] = []
  const root = createRoot(element, { onUncaughtError: (failure) => void failures.push(failure) })
  root.render(page(client, children))
  const now = () => ({ shown: shownIn(element.textContent), requests: sent.requests })
  await until(() => isDone(now()) || failures.length > 0 || sent.requests > 1_000)
  if (failures.length > 0) throw failures[0]
  const told = now()
  root.unmount()
  return told
}

const isWhole = ({ shown }: Page) => shown === 2 * count

/** What pages show in a browser, by how their components ask. */
export const showPages = async (url: string): Promise<Record<string, Page>> => ({
  together: await show(url, together, isWhole),
  separately: await show(url, separately, isWhole),
  unsuspended: await show(
    url,
    twice((first) => <Unsuspended key={first} first={first} />),
    isWhole,
  ),
  live: await show(
    url,
    twice((day) => <Live key={day} day={day} />),
    ({ requests }) => requests >= count,
  ),
})

/** What a server has rendered, and what it passes on. */
interface Rendered extends Page {
  readonly html: string
  readonly state: State
}

/** Called without a window. */
export async function renderOnServer(url: string): Promise<Rendered> {
  const { client, sent } = counting(url)
  const written = new PassThrough()
  const html = text(written)
  await new Promise<void>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(page(client, separately), {
      onAllReady: () => (pipe(written), resolve()),
      onShellError: reject,
      onError: () => {},
    })
  })
  return { html: await html, state: client.dehydrate(), shown: shownIn(await html), requests: sent.requests }
}

/** The page that takes over what the server has rendered, with its answers or without. */
export async function takeOver(url: string, html: string, state: State): Promise<Page> {
  const { hydrateRoot } = await import('react-dom/client')
  const { client, sent } = counting(url)
  client.hydrate(JSON.parse(JSON.stringify(state)) as State)
  const element = document.createElement('div')
  document.body.append(element)
  element.innerHTML = html
  const hydrated = new Set<number>()
  const root = hydrateRoot(element, page(client, <Noted hydrated={hydrated} />))
  await until(() => hydrated.size === count || sent.requests > 1_000)
  const told = { shown: shownIn(element.textContent), requests: sent.requests }
  root.unmount()
  return told
}

/** `separately`, where each part notes that it is mounted. */
function Noted({ hydrated }: { hydrated: Set<number> }) {
  return numbers.map((first) => (
    <Suspense key={first}>
      <Leaders first={first} onMount={() => void hydrated.add(first)} />
      <Leaders first={first} />
    </Suspense>
  ))
}
