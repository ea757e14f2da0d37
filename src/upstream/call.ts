import { setTimeout as wait } from 'node:timers/promises'
import { SpanKind, trace } from '@opentelemetry/api'
import type { Span } from '@opentelemetry/api'
import { judge, NothingFound } from './answer.ts'
import type { Body } from './answer.ts'
import { billOf } from './bill.ts'
import type { Bill } from './bill.ts'
import { AccessDeniedError, TimeoutError, UnauthenticatedError, UnavailableError } from './errors.ts'
import { encode, several } from './encode.ts'
import { allDone, chunks } from './groups.ts'
import { formOf, idsOf, nameOf } from './operations.ts'
import type { Argument, Arguments, Operation } from './operations.ts'
import { UnsentError } from './lane.ts'
import type { Request } from './request.ts'
import { putAnswer } from './put.ts'
import { within } from './trace.ts'
import type { Incoming } from './transport.ts'
import type { World } from './world.ts'

export interface Call {
  readonly operation: Operation
  readonly arguments: Arguments
  /** Who needs it: the first is charged, the others share. */
  readonly requests: readonly [Request, ...Request[]]
  /** The field that made it necessary. */
  readonly field: string
}

/** What a call brought: the keys of its rows, which are kept, in the service's order, and the body itself. */
export interface Answered {
  readonly keys: readonly string[]
  readonly body: Body
}

/** How long to wait before each further try, in milliseconds. */
const pauses = [100, 400]

/** As long as a service that says when to come back is waited for. */
const longestPause = 2_000

/**
 * Makes a call, or joins the same call under way, and keeps the rows that it brings; several side by side where it has more ids than
 * one may carry. Throws a CodedError.
 */
export function call(world: World, asked: Call): Promise<Answered> {
  const parts = split(asked.arguments, world.upstream.settings.batchSize)
  if (parts.length === 1) return callOnce(world, asked)
  return allDone(parts.map((values) => callOnce(world, { ...asked, arguments: values }))).then(joined)
}

/** Arguments whose longest list is cut into as many as one call each may carry. */
function split(values: Arguments, size: number): readonly Arguments[] {
  const lists = Object.entries(values).filter(([, value]) => typeof value === 'object')
  const [name, list] = lists.toSorted(([, a], [, b]) => lengthOf(b) - lengthOf(a))[0] ?? []
  if (name === undefined || typeof list !== 'object' || list.length <= size) return [values]
  return chunks(list, size).map((part) => ({ ...values, [name]: part }))
}

const lengthOf = (value: Argument) => several(value).length

const joined = (answers: readonly Answered[]): Answered => ({
  keys: answers.flatMap(({ keys }) => keys),
  body: Object.fromEntries(answers.flatMap(({ body }) => Object.entries(body))),
})

function callOnce(world: World, asked: Call): Promise<Answered> {
  const form = canonical(asked.operation, asked.arguments)
  const underway = world.inFlight.get(form)
  if (underway) {
    const payer = payers.get(underway)
    for (const request of asked.requests) if (request !== payer) share(request, asked)
    return underway
  }
  for (const request of asked.requests.slice(1)) share(request, asked)
  const sent = traced(asked, (span) => send(world, asked, span)).finally(() => world.inFlight.delete(form))
  world.inFlight.set(form, sent)
  payers.set(sent, asked.requests[0])
  return sent
}

/** Who is charged for a call under way. */
const payers = new WeakMap<Promise<Answered>, Request>()

/** A span for each call that goes out. Neither values nor the key are in it. */
function traced<T>(asked: Call, run: (span: Span) => Promise<T>): Promise<T> {
  const { operation, arguments: names, ids, field } = line(asked)
  const attributes = {
    'statline.operation': operation,
    'statline.arguments': [...names],
    'statline.ids': ids,
    'statline.field': field,
  }
  return within(`upstream ${operation}`, { kind: SpanKind.CLIENT, attributes }, run)
}

function canonical(operation: Operation, values: Arguments): string {
  const sorted = Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `${nameOf(operation)} ${JSON.stringify(sorted)}`
}

function share(request: Request, asked: Call): void {
  const { operation, arguments: names, ids, field } = line(asked)
  request.share(operation, names, ids, field)
}

const line = ({ operation, arguments: values, field }: Call) => ({
  operation: nameOf(operation),
  arguments: Object.keys(values),
  ids: idsOf(operation, values),
  field,
})

/**
 * Sends a call; where the budget may not bear what nobody has seen the size of yet, the first of its form, or the first of all, goes
 * ahead alone, and the others are reserved at what it has told.
 */
async function send(world: World, asked: Call, span: Span): Promise<Answered> {
  const { ledger, estimates, firsts } = world.upstream
  const { operation, arguments: values } = asked
  const isSafe =
    estimates.isKnown(operation, values) || ledger.bears(estimates.tokens(operation, values, 'most'))
  if (ledger.budget === null || (estimates.isPriced && isSafe)) return spend(world, asked, span)
  const form = estimates.isPriced ? `${nameOf(operation)} ${formOf(values)}` : 'any'
  const before = firsts.get(form)
  if (before) {
    await before.catch(() => {})
    return spend(world, asked, span)
  }
  const first = spend(world, asked, span).finally(() => firsts.delete(form))
  firsts.set(form, first)
  return first
}

/** What a call is taken to cost at most: by what was seen of its form, else by the guess, doubt and all where the budget bears it. */
function reservation(
  { upstream: { ledger, estimates } }: World,
  { operation, arguments: values }: Call,
): number {
  const most = estimates.tokens(operation, values, 'most')
  const isRoomy = !estimates.isKnown(operation, values) && ledger.bears(most)
  return isRoomy ? most : estimates.tokens(operation, values, 'safe')
}

async function spend(world: World, asked: Call, span: Span): Promise<Answered> {
  const { operation } = asked
  if (world.apiKey === '')
    throw new UnauthenticatedError('A query needs an API key, in the header X-API-KEY.')
  if (world.refusals.has(nameOf(operation)))
    throw new AccessDeniedError('The key’s plan does not allow this.')
  const { ledger, estimates, settings } = world.upstream
  const settle = ledger.reserve(reservation(world, asked))
  let answer: Incoming
  // What a try was billed that another followed.
  let tried: Bill = { tokens: 0, bytes: 0, estimated: false }
  const started = performance.now()
  try {
    answer = await world.lane.run(() => exchange(world, asked, (bill) => (tried = sum(tried, bill))))
  } catch (error) {
    const isSent = !(error instanceof UnsentError)
    settle(isSent ? tried : null)
    if (isSent) charge(asked, tried, started)
    throw error
  }
  const last = billOf(answer)
  const bill = sum(tried, last)
  span.setAttributes({ 'statline.tokens': bill.tokens, 'statline.bytes': bill.bytes })
  settle(bill)
  charge(asked, bill, started)
  const body = accept(world, operation, answer)
  world.hasAnswers = true
  const keys = putAnswer(world, operation, asked.arguments, body, settings.clock())
  const { length } = Object.keys(body)
  estimates.learn(operation, asked.arguments, operation.answer === 'row' ? Math.min(1, length) : length, last)
  return { keys, body }
}

const charge = (asked: Call, { tokens, bytes, estimated }: Bill, started: number) =>
  asked.requests[0].record({
    ...line(asked),
    bytes,
    tokens,
    ms: Math.round((performance.now() - started) * 100) / 100,
    source: 'UPSTREAM',
    ...(estimated && { estimated }),
  })

function accept(world: World, operation: Operation, answer: Incoming): Body {
  try {
    return judge(answer)
  } catch (error) {
    if (error instanceof NothingFound) return {}
    if (error instanceof AccessDeniedError && isBulk(operation)) world.refusals.add(nameOf(operation))
    throw error
  }
}

/** Whether a plan without read access is refused an operation for good. Any other refusal may be over at the next request. */
const isBulk = ({ function: name, arguments: names, batch }: Operation) =>
  name === 'download' || (name.startsWith('read') && batch !== undefined && names.includes(batch))

const sum = (a: Bill, b: Bill): Bill => ({
  tokens: a.tokens + b.tokens,
  bytes: a.bytes + b.bytes,
  estimated: a.estimated || b.estimated,
})

/** The answer to a call, after as many tries as it takes; tells what an answer was billed that another try followed. */
async function exchange(world: World, asked: Call, onTried: (bill: Bill) => void): Promise<Incoming> {
  const { transport, timeoutMs } = world.upstream.settings
  const signal = AbortSignal.timeout(timeoutMs)
  const { operation, arguments: values } = asked
  const outgoing = encode(operation, values, world.apiKey, signal)
  for (let attempt = 0; ; attempt += 1) {
    let pause = pauses[attempt]
    if (attempt > 0) trace.getActiveSpan()?.setAttribute('http.request.resend_count', attempt)
    try {
      const answer = await transport(outgoing)
      if (pause === undefined || (answer.status !== 429 && answer.status < 500)) return answer
      pause = pauseAfter(answer, pause)
      const bill = billOf(answer)
      // A failed try is billed where the service says so; what it does not say is not guessed.
      if (!bill.estimated) onTried(bill)
    } catch (error) {
      if (pause === undefined || !(error instanceof UnavailableError)) throw error
    }
    await rest(pause, signal)
  }
}

function pauseAfter({ headers }: Incoming, usual: number): number {
  const told = Number(headers['retry-after']) * 1000
  return told > usual && told <= longestPause ? told : usual
}

async function rest(pause: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(pause, undefined, { signal })
  } catch {
    throw new TimeoutError('The statistics service did not answer in time.')
  }
}
