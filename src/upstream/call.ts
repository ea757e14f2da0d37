import { SpanKind } from '@opentelemetry/api'
import type { Span } from '@opentelemetry/api'
import { noBill } from '../money/bill.ts'
import type { Bill } from '../money/bill.ts'
import { judge, NothingFound } from './answer.ts'
import type { Body } from './answer.ts'
import { AccessDeniedError, QueryTooExpensiveError, UnauthenticatedError } from './errors.ts'
import { several } from './encode.ts'
import { estimateOf, exchange } from './exchange.ts'
import type { Spent } from './exchange.ts'
import { allDone, chunks } from './groups.ts'
import { idsOf, nameOf } from './operations.ts'
import type { Argument, Arguments, Operation } from './operations.ts'
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
  /** When it came, by which its rows and what is made of them age. */
  readonly boughtAt: number
}

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
  boughtAt: Math.min(...answers.map(({ boughtAt }) => boughtAt)),
})

function callOnce(world: World, needed: Call): Promise<Answered> {
  const form = canonical(needed.operation, needed.arguments)
  const asked = payerFirst(world, needed)
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

/** A call with the first request in front whose own limits bear it: that one is charged. */
function payerFirst(world: World, asked: Call): Call {
  const { requests } = asked
  if (requests.length === 1) return asked
  const tokens = estimateOf(world, asked.operation, asked.arguments)
  const payer = requests.find(({ allowance }) => allowance.bears(tokens))
  if (!payer || payer === requests[0]) return asked
  return { ...asked, requests: [payer, ...requests.filter((one) => one !== payer)] }
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
 * Under a budget, calls of one operation go out side by side only while the budget bears this many times their estimates. Otherwise
 * one goes out at a time and its bill is known before the next. So a rise of the price by up to this factor overspends by one call
 * of each operation at most.
 */
const largestRise = 64

/** The same under the limit of one request, which may be small: a greater factor would send all its calls one by one. */
const largestRiseOfQuery = 4

/** Sends a call in its turn and keeps what it brings. */
async function send(world: World, asked: Call, span: Span): Promise<Answered> {
  const { operation, arguments: values } = asked
  if (world.apiKey === '')
    throw new UnauthenticatedError('A query needs an API key, in the header X-API-KEY.')
  if (world.refusals.has(nameOf(operation)))
    throw new AccessDeniedError('The key’s plan does not allow this.')
  const { allowance } = asked.requests[0]
  const mayJoin = () => {
    if (world.ledger.budget === null && allowance.limits.maxTokens === null) return true
    const tokens = estimateOf(world, operation, values)
    return (
      allowance.bearsTimes(largestRiseOfQuery, tokens) &&
      (world.ledger.budget === null || world.ledger.bearsTimes(largestRise, tokens))
    )
  }
  return world.lane.run(nameOf(operation), () => spend(world, asked, span), mayJoin)
}

async function spend(world: World, asked: Call, span: Span): Promise<Answered> {
  const { operation, arguments: values } = asked
  const { answer, bill } = await charged(world, asked, span)
  const body = accept(world, operation, answer)
  world.hasAnswers = true
  world.isRefused = false
  const boughtAt = world.upstream.moment()
  const keys = putAnswer(world, operation, values, body, boughtAt)
  const { length } = Object.keys(body)
  world.estimates.learn(operation, values, operation.answer === 'row' ? Math.min(1, length) : length, bill)
  return { keys, body, boughtAt }
}

/** Makes a call and puts what it cost on the bill of the request that sends it, however it ends. */
async function charged(world: World, asked: Call, span: Span) {
  const started = performance.now()
  const spent: Spent = { requests: 0, bill: noBill }
  const [payer] = asked.requests
  if (!payer.allowance.bears(estimateOf(world, asked.operation, asked.arguments)))
    throw new QueryTooExpensiveError(asked.requests)
  payer.allowance.countCall()
  try {
    return await exchange(world, asked.operation, asked.arguments, spent, payer)
  } finally {
    if (spent.requests > 0) {
      world.countCall()
      const { tokens, bytes } = spent.bill
      span.setAttributes({ 'statline.tokens': tokens, 'statline.bytes': bytes })
      charge(asked, spent.bill, started)
    }
  }
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
    if (error instanceof UnauthenticatedError) world.isRefused = true
    if (error instanceof AccessDeniedError && isBulk(operation)) world.refusals.add(nameOf(operation))
    throw error
  }
}

/** Whether a plan without read access is refused an operation for good. Any other refusal may be over at the next request. */
const isBulk = ({ function: name, arguments: names, batch }: Operation) =>
  name === 'download' || (name.startsWith('read') && batch !== undefined && names.includes(batch))
