import Link from 'next/link'
import { ScoreboardDocument } from 'statline-client'
import { Hydrate } from 'statline-client/react'
import { clientOfRequest } from './client.ts'
import { Games } from './games.tsx'

interface Props {
  readonly searchParams: Promise<{ readonly date?: string }>
}

/**
 * A day’s games. If the address names no day, today’s. The server asks for them and renders them into the HTML. The
 * browser hydrates the page from that answer, without a second request.
 */
export default async function Page({ searchParams }: Props) {
  const { date } = await searchParams
  const state = await clientOfRequest().preload(ScoreboardDocument, { date })
  return (
    <Hydrate state={state}>
      <h1>Games of {date ?? 'today'}</h1>
      <Games date={date} />
      <Link href="/leaders" prefetch={false}>
        Leaders
      </Link>
    </Hydrate>
  )
}
