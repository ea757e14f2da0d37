import { parse } from 'graphql'
import { useEffect } from 'react'
import { show } from './bill.ts'
import type { Estimate } from './bill.ts'
import { ask } from './graph.ts'
import type { Answer, Headers } from './graph.ts'

const pauseMs = 400

/** What an editor of JSON holds; null while it is being typed. */
function objectIn(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>) // an object, as the line above says
      : null
  } catch {
    return null
  }
}

function isQuery(text: string): boolean {
  try {
    const [first] = parse(text).definitions
    return first?.kind === 'OperationDefinition' && first.operation === 'query'
  } catch {
    return false
  }
}

/** The plan of a dry run is what is usual; its estimate says how far that may be off. */
function estimateOf({ extensions: { estimate, plan = [] } = {} }: Answer): Estimate | null {
  return estimate ? { ...estimate, usual: plan.reduce((sum, { tokens }) => sum + tokens, 0) } : null
}

/** Shows the price of the query in the editor, once the typing pauses. A dry run costs nothing. */
export function useEstimate(query: string, variables: string, headers: string): void {
  useEffect(() => {
    const [values, sent] = [objectIn(variables), objectIn(headers)]
    if (!values || !sent || !isQuery(query)) return show({ estimate: null })
    const timer = setTimeout(async () => {
      const answer = await ask({ query, variables: values }, 'dry', sent as Headers).catch(() => null) // header values are strings
      show({ estimate: answer ? estimateOf(answer) : null })
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [query, variables, headers])
}
