import { SpanKind } from '@opentelemetry/api'
import type { Span } from '@opentelemetry/api'
import { noBill } from '../money/bill.ts'
import type { Bill } from '../money/bill.ts'
import { largestRise } from '../money/ledger.ts'
import { judge, NothingFound } from './answer.ts'
import type { Answered, Body } from './answer.ts'
import {
  AccessDeniedError,
  BudgetExceededError,
  QueryTooExpensiveError,
  UnauthenticatedError,
} from './errors.ts'
import { estimateOf, exchange, isRandomized } from './exchange.ts'
import type { Sent, Spent } from './exchange.ts'
import { allDone } from './groups.ts'
import { idsOf, nameOf } from '../specification/operations.ts'
import type { Arguments, Operation } from '../specification/operations.ts'
import type { Call } from './needed-call.ts'
import type { Request } from './request.ts'
import { keepAnswer, keepNarrowed } from './keep.ts'
import { completedAnswer, isKeyRead, joinedAnswers, fallBack } from './call-fallback.ts'
import type { Again } from './call-fallback.ts'
import { partsOf } from './call-parts.ts'
import { noteRecalled, recall } from './recall.ts'
import { asRead, fitting, ignoredIn, noteIgnored, without } from './reading.ts'
import { listedName } from './replay.ts'
import { isTracing, noSpan, within } from './trace.ts'
import type { Incoming } from './transport.ts'
import type { Account } from './account.ts'

/**
 * Makes a call, or joins the same pending call, and stores its rows. If it has more ids than a call may
 * carry, several calls go out in parallel. Throws a CodedError.
 */
export async function call(account: Account, asked: Call): Promise<Answered> {
  const { operation, arguments: values } = asked
  const { settings, capabilities } = account.upstream
  const { sent, ignored } = partsOf(capabilities.choices, operation, values, settings.batchSize)
  const [first = values] = sent
  const answered =
    sent.length === 1
      ? await callOnce(account, { ...asked, arguments: first })
      : joinedAnswers(await allDone(sent.map((part) => callOnce(account, { ...asked, arguments: part }))))
  return ignored.length === 0 ? answered : narrowed(account, operation, values, answered)
}

/** Applies the filters that the service ignored. */
function narrowed(
  account: Account,
  operation: Operation,
  values: Arguments,
  { body, boughtAt }: Answered,
): Answered {
  const fit = fitting(operation, values, body)
  return keepNarrowed(account, { operation, arguments: values, body: fit, boughtAt, bytes: 0 })
}

/** One call. If the service refuses it or answers only a part, it is tried in another way. */
function callOnce(account: Account, needed: Call): Promise<Answered> {
  const form = canonical(needed.operation, needed.arguments)
  const asked = payerFirst(account, needed)
  const underway = account.inFlight.get(form)
  if (underway) {
    for (const { request } of asked.users) if (request !== underway.payer) share(request, asked)
    return underway.answer
  }
  const recalled = recall(account, needed)
  if (recalled && !(recalled instanceof Promise)) {
    noteRecalled(needed, 'MEMORY')
    return Promise.resolve(recalled)
  }
  const send = () => {
    for (const user of asked.users) if (user !== asked.users[0]) share(user.request, asked)
    return adapted(account, needed, sendTraced(account, asked), form)
  }
  const answer = recalled ? recalledOr(account, needed, recalled, form, send) : send()
  account.inFlight.set(form, {
    answer,
    payer: asked.users[0].request,
    isKeyRead: isKeyRead(needed.operation, needed.arguments),
    operation: needed.operation,
    arguments: needed.arguments,
  })
  return answer
}

/** The answer that Redis has, if any. */
async function recalledOr(
  account: Account,
  needed: Call,
  recalled: Promise<Answered | null>,
  form: string,
  send: () => Promise<Answered>,
): Promise<Answered> {
  const found = await recalled
  if (!found) return send()
  account.inFlight.delete(form)
  noteRecalled(needed, 'REDIS')
  return found
}

const sendTraced = (account: Account, asked: Sent) => traced(asked, (span) => send(account, asked, span))

async function adapted(
  account: Account,
  needed: Call,
  sent: Promise<Answered>,
  form: string,
): Promise<Answered> {
  const { operation, arguments: values } = needed
  const again: Again = {
    once: (other) => sendTraced(account, payerFirst(account, { ...needed, arguments: other })),
    known: (other) => call(account, { ...needed, arguments: other }),
  }
  try {
    return await sent.then(
      (answered) => completedAnswer(account, operation, values, answered, again),
      (error: unknown) => fallBack(account, operation, values, error, again),
    )
  } finally {
    account.inFlight.delete(form)
  }
}

/** The call with its payer first: the first request whose own limits and client budget allow it. */
function payerFirst(account: Account, asked: Call): Sent {
  const { requests, operation, field, arguments: values } = asked
  if (requests.length === 1)
    return { operation, arguments: values, field, users: [{ request: requests[0], rows: 1 }] }
  const rows = new Map<Request, number>()
  for (const request of requests) rows.set(request, (rows.get(request) ?? 0) + 1)
  const tokens = estimateOf(account, asked.operation, asked.arguments)
  const { ledgers } = account.upstream
  const mayPay = ({ allowance, client }: Request) =>
    allowance.bears(tokens) && (ledgers.remainingOfClient(client) ?? tokens) >= tokens
  const payer = requests.find(mayPay) ?? requests[0]
  const users = [...rows].map(([request, count]) => ({ request, rows: count }))
  const others = users.filter(({ request }) => request !== payer)
  const own = { request: payer, rows: rows.get(payer) ?? 1 }
  return { operation, arguments: values, field, users: [own, ...others] }
}

/** Runs a call in a span of its own. The span contains neither values nor the key. */
function traced<T>(asked: Sent, run: (span: Span) => Promise<T>): Promise<T> {
  if (!isTracing()) return run(noSpan)
  const { operation, arguments: names, ids, field } = line(asked)
  const attributes = {
    'statline.operation': operation,
    'statline.arguments': [...names],
    'statline.ids': ids,
    'statline.field': field,
  }
  return within(`upstream ${operation}`, { kind: SpanKind.CLIENT, attributes }, run)
}

const canonical = (operation: Operation, values: Arguments): string =>
  `${nameOf(operation)} ${JSON.stringify(values, Object.keys(values).toSorted())}`

function share(request: Request, asked: Sent): void {
  const { operation, arguments: names, ids, field } = line(asked)
  request.share(operation, names, ids, field)
}

const line = ({ operation, arguments: values, field }: Sent) => ({
  operation: nameOf(operation),
  arguments: Object.keys(values),
  ids: idsOf(operation, values),
  field,
})

/**
 * The same factor as `largestRise`, for the limit of one request. It is smaller, because a small limit would
 * otherwise make all calls go out one by one.
 */
const largestRiseOfQuery = 4

/** Sends a call when the concurrency limit allows it. */
async function send(account: Account, asked: Sent, span: Span): Promise<Answered> {
  const { operation, arguments: values } = asked
  if (account.apiKey === '')
    throw new UnauthenticatedError('There is no API key. Send one in the header X-API-KEY.')
  if (account.refusals.has(nameOf(operation)))
    throw new AccessDeniedError('The API key’s plan does not allow this.')
  const { allowance } = asked.users[0].request
  const mayJoin = () => {
    if (account.ledger.budget === null && allowance.limits.maxTokens === null) return true
    const tokens = estimateOf(account, operation, values)
    return (
      allowance.bearsTimes(largestRiseOfQuery, tokens) &&
      (account.ledger.budget === null || account.ledger.bearsTimes(largestRise, tokens))
    )
  }
  return account.limiter.run(nameOf(operation), () => spend(account, asked, span), mayJoin)
}

async function spend(account: Account, asked: Sent, span: Span): Promise<Answered> {
  const { operation, arguments: values } = asked
  const { answer, bill } = await charged(account, asked, span)
  const { body, text } = asRead(account, operation, accept(account, operation, answer), answer.body)
  account.hasAnswers = true
  account.isRefused = false
  account.isSpent = false
  const boughtAt = account.upstream.moment()
  const ignored = ignoredIn(operation, values, body)
  // If a filter was ignored, this is the answer to a call without the filter.
  const answered = ignored.length === 0 ? values : without(values, ignored)
  const keys = keepAnswer(account, { operation, arguments: answered, body, boughtAt, bytes: answer.bytes })
  account.estimates.learnFrom(operation, answered, body, bill)
  account.keep({
    kind: 'answer',
    operation: listedName(operation),
    arguments: answered,
    boughtAt,
    bill,
    isRandomized: isRandomized(answer),
    // "Nothing matched" may have been an error.
    text: Object.keys(body).length === 0 ? '{}' : text,
  })
  if (ignored.length === 0) return { keys, body, boughtAt }
  noteIgnored(account, operation, ignored)
  return narrowed(account, operation, values, { keys, body, boughtAt })
}

/** Makes a call and charges its cost to the request that sends it, also if it fails. */
async function charged(account: Account, asked: Sent, span: Span) {
  const started = performance.now()
  const spent: Spent = { requests: 0, bill: noBill }
  const [{ request: payer }] = asked.users
  const estimate = estimateOf(account, asked.operation, asked.arguments)
  if (!payer.allowance.bears(estimate))
    throw new QueryTooExpensiveError(asked.users.map(({ request }) => request))
  payer.allowance.countCall()
  try {
    return await exchange(account, asked, estimate, spent)
  } finally {
    if (spent.requests > 0) {
      account.countCall()
      payer.attempts += spent.requests
      const { tokens, bytes } = spent.bill
      span.setAttributes({ 'statline.tokens': tokens, 'statline.bytes': bytes })
      charge(asked, spent.bill, started)
    }
  }
}

function charge(asked: Sent, { tokens, bytes, estimated }: Bill, started: number): void {
  const { operation, arguments: names, ids, field } = line(asked)
  asked.users[0].request.record({
    operation,
    arguments: names,
    ids,
    bytes,
    tokens,
    ms: Math.round((performance.now() - started) * 100) / 100,
    source: 'UPSTREAM',
    field,
    ...(estimated && { estimated }),
  })
}

function accept(account: Account, operation: Operation, answer: Incoming): Body {
  try {
    return judge(answer, operation, account.upstream.capabilities.choices.emptyStatus)
  } catch (error) {
    if (error instanceof NothingFound) return {}
    if (error instanceof UnauthenticatedError) account.isRefused = true
    if (error instanceof BudgetExceededError) account.isSpent = true
    if (error instanceof AccessDeniedError && isBulk(operation)) {
      account.refusals.add(nameOf(operation))
      const boughtAt = account.upstream.settings.clock()
      account.keep({ kind: 'refusal', operation: nameOf(operation), boughtAt })
    }
    throw error
  }
}

/**
 * Whether a refusal of this operation is about the key's plan, and so lasts. Others may be over by the next
 * request.
 */
const isBulk = ({ function: name, arguments: names, batch }: Operation) =>
  name === 'download' || (name.startsWith('read') && batch !== undefined && names.includes(batch))
