import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import type { Registry } from 'prom-client'
import {
  billLines,
  billQuestion,
  BillQuestionError,
  csvOf,
  jsonOf,
  usualGroupings,
} from '../money/bill-lines.ts'
import { monthOf } from '../money/ledger-store.ts'
import type { Spending } from '../money/ledger-store.ts'
import { NoLedgerError } from '../money/files/read-ledger.ts'
import { jsonHeaders, readyAnswer } from './readiness-checks.ts'
import type { ReadinessChecks } from './readiness-checks.ts'
import { hostName, probes } from './hosts.ts'
import { fail } from './report.ts'

/** What operators are shown. */
export interface AdminParts {
  readonly registry: Registry
  readonly checks: ReadinessChecks
  readonly isOurHost: (host: string) => boolean
  /** What was spent from one day to another; null if nothing is billed. */
  readonly spending: ((from: string, to: string) => Promise<readonly Spending[]>) | null
  readonly clock: () => number
}

interface Answered {
  readonly status: number
  readonly type: string
  readonly body: string
}

type Route = (parts: AdminParts, search: URLSearchParams) => Promise<Answered> | Answered

/** Only paths are read from it. */
const base = 'http://admin'
const json = jsonHeaders['content-type']
const text = 'text/plain; charset=utf-8'

const routes = new Map<string, Route>([
  ['/health', () => ({ status: 200, type: text, body: '' })],
  ['/ready', ({ checks }) => ({ ...readyAnswer(checks.readiness), type: json })],
  [
    '/metrics',
    async ({ registry }) => ({ status: 200, type: registry.contentType, body: await registry.metrics() }),
  ],
  ['/usage', usage],
])

/**
 * Answers operators, at a port that clients do not reach: metrics, probes, and who spent what. A page that
 * points its own name at this port is refused. Addresses are accepted, because monitoring scrapes by address.
 */
export function adminListener(parts: AdminParts): RequestListener {
  return (request, response) => void answer(parts, request, response)
}

async function answer(parts: AdminParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.resume()
  try {
    const { status, type, body } = await answered(parts, request)
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' })
    response.end(request.method === 'HEAD' ? undefined : body)
  } catch (error) {
    fail(response, error)
  }
}

function answered(
  parts: AdminParts,
  { url = '/', method, headers }: IncomingMessage,
): Answered | Promise<Answered> {
  if (!URL.canParse(url, base)) return { status: 400, type: text, body: '' }
  const { pathname, searchParams } = new URL(url, base)
  const { host } = headers
  if (host !== undefined && !probes.has(pathname) && !isIP(hostName(host)) && !parts.isOurHost(host))
    return {
      status: 403,
      type: text,
      body: 'This host name is not served: ALLOWED_HOSTS lists those that are.\n',
    }
  const route = routes.get(pathname)
  if (!route) return { status: 404, type: text, body: `This port serves ${[...routes.keys()].join(', ')}.\n` }
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, type: text, body: '' }
  return route(parts, searchParams)
}

const hoursGone = (days: readonly string[]) =>
  days.map((day) => `Hours of ${day} are no longer kept; ask for /usage?day=${day}.`).join('\n')

const periods = ['month', 'day', 'hour'] as const
const parameters: readonly string[] = [...periods, 'by', 'compare', 'format']

/** What is wrong with the parameters of a bill; null if nothing is. A wrong one must not get another bill. */
function faultIn(search: URLSearchParams): string | null {
  const unknown = [...search.keys()].find((name) => !parameters.includes(name))
  if (unknown !== undefined)
    return `/usage has the parameters ${parameters.join(', ')}, not ${JSON.stringify(unknown)}.`
  if (periods.flatMap((name) => search.getAll(name)).length > 1)
    return 'A bill has one of month, day and hour.'
  const compare = search.get('compare') ?? ''
  if (compare !== '') return `compare has no value, such as ${JSON.stringify(compare)}.`
  const format = search.get('format') ?? 'json'
  if (format !== 'csv' && format !== 'json')
    return `A bill has the format csv or json, not ${JSON.stringify(format)}.`
  return null
}

/**
 * A bill as `statline bill` writes it: `/usage?hour=2026-02-14T20&by=client,operation&compare&format=csv`.
 */
async function usage({ spending, clock }: AdminParts, search: URLSearchParams): Promise<Answered> {
  const fault = faultIn(search)
  if (fault !== null) return { status: 400, type: text, body: `${fault}\n` }
  try {
    const question = billQuestion(
      search.get('hour') ?? search.get('day') ?? search.get('month') ?? monthOf(clock()),
      search.has('by') ? search.getAll('by').join(',') : usualGroupings,
      search.has('compare'),
    )
    const { lines, daysWithoutHours } = await billLines(spending ?? (async () => []), question)
    if (daysWithoutHours.length > 0)
      return { status: 410, type: text, body: `${hoursGone(daysWithoutHours)}\n` }
    return search.get('format') === 'csv'
      ? { status: 200, type: 'text/csv; charset=utf-8', body: `${csvOf(lines, question)}\n` }
      : { status: 200, type: json, body: `${jsonOf(lines, question)}\n` }
  } catch (error) {
    if (error instanceof BillQuestionError) return { status: 400, type: text, body: `${error.message}\n` }
    if (error instanceof NoLedgerError) return { status: 503, type: text, body: `${error.message}\n` }
    throw error
  }
}
