import { useEffect, useState } from 'react'
import { ask } from './graph.ts'
import type { Answer, Estimate, Headers } from './graph.ts'
import { objectIn } from './json.ts'
import { operationIn } from './operation.ts'
import type { Kind } from './run.ts'

/** The contents of the editors. */
export interface Draft {
  readonly query: string
  readonly variables: string
  readonly headers: string
  readonly operationName: string | null
}

/** The expected cost of a run, and its errors. If all fields fail, there is no cost. */
export interface Price {
  readonly kind: Kind
  /** Expected tokens, from the sizes seen so far. */
  readonly usual: number
  readonly estimate: Estimate | null
  readonly fault: string | null
}

interface Priced {
  readonly of: string
  readonly price: Price
}

/** Milliseconds without typing before a dry run. */
const pause = 400

const without = (fault: string): Price => ({ kind: 'query', usual: 0, estimate: null, fault })

/** The plan of a dry run holds usual costs; its estimate holds the range. */
function priceIn({ extensions: { estimate, plan = [] } = {}, errors }: Answer, kind: Kind): Price {
  const fault = errors?.[0]?.message ?? null
  if (!estimate || (fault && plan.length === 0)) return without(fault ?? 'The graph does not tell.')
  return { kind, usual: plan.reduce((total, { tokens }) => total + tokens, 0), estimate, fault }
}

async function priceOf({ query, ...draft }: Draft, signal: AbortSignal): Promise<Price> {
  const [variables, headers] = [objectIn(draft.variables), objectIn(draft.headers)]
  if (query.replaceAll(/#.*/g, '').trim() === '') return without('There is no query yet.')
  const operation = operationIn(query, draft.operationName)
  if (!operation) return without('The query is not complete.')
  if (!variables) return without('The variables are not a JSON object.')
  if (!headers) return without('The headers are not a JSON object.')
  const { kind, operationName } = operation
  const asking = { headers: headers as Headers, explain: 'dry', signal } as const // header values are strings
  return priceIn(await ask({ query, variables, operationName }, asking), kind)
}

/**
 * The price of the editors' contents once typing pauses; null until then. Requested again after each `run`
 * and `round`. A dry run costs nothing.
 */
export function usePrice(draft: Draft, run: string, round: number): Price | null {
  const [priced, setPriced] = useState<Priced | null>(null)
  const of = JSON.stringify([draft, run])
  useEffect(() => {
    const outdated = new AbortController()
    const tell = (price: Price) => outdated.signal.aborted || setPriced({ of, price })
    const timer = setTimeout(() => {
      priceOf(draft, outdated.signal).then(tell, () => tell(without('The graph cannot be reached.')))
    }, pause)
    return () => {
      clearTimeout(timer)
      outdated.abort()
    }
  }, [of, round])
  return priced?.of === of ? priced.price : null
}
