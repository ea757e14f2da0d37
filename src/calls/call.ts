import { SpanKind, trace } from '@opentelemetry/api'
import type { Account, CallInFlight } from '../account/account.ts'
import { ClientRequest } from '../account/client-request.ts'
import { keepAnswer } from '../account/keep.ts'
import { recall } from '../account/restore.ts'
import {
  AccessDeniedError,
  ClosedError,
  CodedError,
  deniedByPlan,
  PausedError,
  RetryLaterError,
  TimeoutError,
  UnauthenticatedError,
} from '../errors/errors.ts'
import { noBill, sumOf } from '../money/bill.ts'
import { callName, nameOf } from '../specification/operation.ts'
import { listedName } from '../specification/operations.ts'
import { isTracing, within } from '../trace.ts'
import type { Answered, Body } from '../wire/answer.ts'
import { Deadline } from '../wire/deadline.ts'
import { encode } from '../wire/encode.ts'
import { pauseAsked } from '../wire/retry-after.ts'
import { accepted, noteTrial } from './accepted.ts'
import { inAnotherWay, isKeyRead } from './dialect/fallback.ts'
import { inParts } from './dialect/parts.ts'
import { asRead, isReadAgain, narrowed, noteIgnored } from './dialect/reading.ts'
import { isFinal, isRandomized, noteHeard, request, rest } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { estimateOf, mayJoin, payerFirst, reserve, reserveFirst } from './reserve.ts'
import type { Lease } from './reserve.ts'
import { line, noteRecalled, noteShared } from './sent.ts'
import type { Call, Sent } from './sent.ts'

/**
 * Makes a call, or joins the same pending call, and stores its rows: share → lease → send → bill → keep. What the
 * service needs beside that is around it: a call with more ids than one may carry goes out in parts, and one that is
 * refused in another way. Throws a CodedError.
 */
export function call(account: Account, needed: Call): Promise<Answered> {
  if (account.work?.isCutOff) return unending()
  const { operation, arguments: all } = needed
  return inParts(account, operation, all, (part) =>
    share(account, { ...needed, arguments: part }, (sent) =>
      inAnotherWay(account, operation, part, made(sent), {
        once: (values) => made(payerFirst(account, { ...sent, arguments: values })),
        known: (values) => call(account, { ...sent, arguments: values }),
      }),
    ),
  )
}

/** Makes a call in a span of its own, which contains neither values nor the key. */
function made(sent: Sent): Promise<Answered> {
  if (!isTracing()) return lease(sent, use)
  const { operation, arguments: names, ids, field } = line(sent)
  const attributes = {
    'statline.operation': operation,
    'statline.arguments': names,
    'statline.ids': ids,
    'statline.field': field,
  }
  return within(`upstream ${operation}`, { kind: SpanKind.CLIENT, attributes }, () => lease(sent, use))
}

async function use(leased: Lease): Promise<Answered> {
  const exchange = await send(leased)
  bill(exchange)
  return keep(exchange)
}

/** A new one each time: what waits for it goes with it. */
const unending = () => new Promise<never>(() => {})

/** The answer of the same call: a pending one, or a stored one whose rows are not in memory. If there is none, `send` brings it. */
export function share(
  account: Account,
  own: Call,
  send: (sent: Sent) => Promise<Answered>,
): Promise<Answered> {
  const { operation, arguments: values } = own
  const form = callName(operation, values)
  const pending = account.inFlight.get(form)
  if (pending) return joined(pending, own, () => share(account, own, send))
  const recalled = recall(account, operation, values)
  if (recalled && !(recalled instanceof Promise)) {
    noteRecalled(own, 'MEMORY')
    return Promise.resolve(recalled)
  }
  // In a dry run, another request pays for what the real account has in flight. Those that need it share it.
  const isShared = account.dryRunOf?.inFlight.has(form)
  const sent = payerFirst(
    account,
    isShared ? { ...own, requests: [new ClientRequest(account), ...own.requests] } : own,
  )
  const bring = async () => {
    try {
      const found = recalled && (await recalled)
      if (found) noteRecalled(own, 'REDIS')
      return found ?? (await send(sent))
    } finally {
      account.endCall(form)
    }
  }
  const answer = bring()
  account.beginCall(form, {
    answer,
    payer: sent.users[0].request,
    waiters: sent.waiters,
    isKeyRead: isKeyRead(operation, values),
    operation,
    arguments: values,
  })
  return answer
}

/**
 * The answer of a pending call. A call that is refused is not noted, because it never goes out. If it was not sent
 * because the others that needed it are gone, it is made `anew`.
 */
async function joined(
  { answer, payer, waiters }: CallInFlight,
  own: Call,
  anew: () => Promise<Answered>,
): Promise<Answered> {
  for (const request of own.requests) waiters.add(request)
  let answered: Answered
  try {
    answered = await answer
  } catch (error) {
    if (error instanceof ClosedError && own.requests.some(({ isClosed }) => !isClosed)) return anew()
    throw error
  }
  for (const request of new Set(own.requests)) if (request !== payer) noteShared(request, own)
  return answered
}

/**
 * Resolves as `use` does, once everything allows the call: the key and its plan, the circuit breaker, the limits and
 * budgets of those that need it, a turn in the concurrency limiter, and a reservation. Its slot in the limiter and its
 * time end with `use`.
 */
export async function lease<T>(sent: Sent, use: (lease: Lease) => Promise<T>): Promise<T> {
  const { account, operation, arguments: values, waiters } = sent
  if (account.apiKey === '')
    throw new UnauthenticatedError('There is no API key. Send one in the header X-API-KEY.')
  if (account.refusals.has(nameOf(operation))) throw new AccessDeniedError(deniedByPlan)
  checkSendable(sent)
  const { work } = account
  if (work?.plan() === false) return unending()
  const deadline = new Deadline(account.upstream.settings.timeoutMs)
  // A dry run waits for this process alone, and may end before its calls do.
  if (account.dryRunOf) deadline.end()
  const begin = async () => {
    if (work && !(await work.begin(operation, values, account.estimates))) return unending()
    checkSendable(sent)
    const began = performance.now()
    const reservation = reserveFirst(sent)
    const refused = reservation.written && (await deadline.without(reservation.written))
    const passage = refused ? null : account.upstream.health.breaker.enter()
    if (passage) return use({ sent, deadline, passage, reservation, began })
    sent.users[0].request.allowance.uncountCall()
    if (refused) throw refused
    reservation.settle(noBill)
    throw new PausedError()
  }
  const limited = {
    operation: nameOf(operation),
    waiters,
    mayJoin: () => mayJoin(sent),
    deadline: account.dryRunOf ? null : deadline,
  }
  try {
    return await account.limiter.run(limited, begin)
  } finally {
    deadline.end()
  }
}

/** Checks that the service is there, and somebody for whom to call. Both may change while a call waits. */
function checkSendable({ account, users }: Sent): void {
  if (!account.upstream.health.breaker.letsPass) throw new PausedError()
  if (users.every(({ request: user }) => user.isClosed)) throw new ClosedError()
}

/** Milliseconds before each retry. */
const usualPauses = [100, 400]

/**
 * Sends a call until it is answered, its time is over or its tries are. Each request is reserved before it is sent,
 * and booked when its headers arrive. A probe of the circuit breaker has one try.
 */
export async function send({ sent, deadline, passage, reservation, began }: Lease): Promise<Exchange> {
  const { account, operation, arguments: values } = sent
  const { settings, health, capabilities, pauses } = account.upstream
  const outgoing = encode(operation, values, account.apiKey, deadline, capabilities.choices)
  let outcome = await request(account, outgoing, reservation)
  let [requests, cost] = [1, outcome.bill]
  let refused: CodedError | null = null
  for (const usual of passage.isProbe ? [] : (settings.retryPauses ?? usualPauses)) {
    if (isFinal(outcome)) break
    const asked = 'answer' in outcome ? pauseAsked(outcome.answer.headers, settings.clock()) : 0
    if (asked > deadline.msLeft) {
      refused = new RetryLaterError(asked)
      break
    }
    if (!(await rest(Math.max(usual, asked), deadline, pauses))) {
      outcome = { error: new TimeoutError('The statistics service did not answer in time.'), bill: noBill }
      break
    }
    const again = reserve(sent, estimateOf(sent), cost.tokens === 0 ? 1 : 0)
    if (again instanceof CodedError || (again.written && (await deadline.without(again.written)))) break
    trace.getActiveSpan()?.setAttribute('http.request.resend_count', requests)
    outcome = await request(account, outgoing, again)
    requests += 1
    cost = sumOf(cost, outcome.bill)
  }
  noteHeard(health.breaker, passage, outcome)
  return { sent, began, requests, cost, outcome: refused ? { error: refused, bill: noBill } : outcome }
}

/** Charges a call to the request that pays for it, also if it failed. The others note that they share it. */
export function bill({ sent, began, requests, cost: { tokens, bytes, estimated } }: Exchange): void {
  const [{ request: payer }, ...others] = sent.users
  sent.account.countCall()
  payer.attempts += requests
  for (const { request: other } of others) noteShared(other, sent)
  trace.getActiveSpan()?.setAttributes({ 'statline.tokens': tokens, 'statline.bytes': bytes })
  const { operation, arguments: names, ids, field } = line(sent)
  payer.record({
    operation,
    arguments: names,
    ids,
    bytes,
    tokens,
    ms: Math.round((performance.now() - began) * 100) / 100,
    source: 'UPSTREAM',
    field,
    ...(estimated && { estimated }),
  })
}

/** Reads the answer and stores what it contains, here and beyond this process. Throws the error of a call that failed. */
export function keep({ sent, outcome }: Exchange): Answered {
  if ('error' in outcome) throw outcome.error
  const { answer, bill: paid } = outcome
  const { account, operation, arguments: values } = sent
  const read = asRead(account, operation, values, accepted(sent, answer), answer.body)
  answer.dropBody?.()
  // If a filter was ignored, this is the answer to a call without the filter.
  const { body, text, ignored, arguments: answered } = read
  const boughtAt = account.upstream.moment()
  if (isRandomized(answer)) account.noteRandomized(boughtAt)
  const keys = keepAnswer(account, { operation, arguments: answered, body, boughtAt, bytes: answer.bytes })
  account.estimates.learnFrom(operation, answered, body, paid)
  account.keep({
    kind: 'answer',
    operation: listedName(operation),
    arguments: answered,
    boughtAt,
    bill: paid,
    isRandomized: isRandomized(answer),
    // "Nothing matched" may have been an error.
    text: Object.keys(body).length === 0 ? '{}' : text,
  })
  noteTrial(sent, boughtAt)
  // A promise that has waited is old. What it resolves with stays in memory until a full collection.
  if (!isReadAgain(operation, values)) return { keys, body: unread, boughtAt }
  if (ignored.length === 0) return { keys, body, boughtAt }
  noteIgnored(account, operation, ignored)
  return narrowed(account, operation, values, { keys, body, boughtAt })
}

const unread: Body = {}
