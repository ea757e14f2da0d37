import { nameOf } from '../specification/operation.ts'
import type { Arguments, Operation } from '../specification/operation.ts'
import type { Account, CallInFlight } from '../account/account.ts'
import type { Answered } from '../wire/answer.ts'
import { narrowed, noteShared, sendBilled } from './billed-call.ts'
import { completedAnswer, isKeyRead, joinedAnswers, fallBack } from './fallback.ts'
import type { Again } from './fallback.ts'
import { partsOf } from './parts.ts'
import { ClosedError } from '../errors/errors.ts'
import { allDone } from '../groups.ts'
import type { Call, Sent } from './needed-call.ts'
import { noteRecalled, recall } from './recall.ts'
import { ClientRequest } from '../account/client-request.ts'
import { Waiters } from '../wire/waiters.ts'
import { estimateOf } from './reserve.ts'

/**
 * Makes a call, or joins the same pending call, and stores its rows. If it has more ids than a call may
 * carry, several calls go out in parallel. Throws a CodedError.
 */
export async function call(account: Account, asked: Call): Promise<Answered> {
  if (account.work?.isCutOff) return new Promise(() => {})
  const { operation, arguments: values } = asked
  const { settings, capabilities } = account.upstream
  const { sent, ignored } = partsOf(capabilities.choices, operation, values, settings.batchSize)
  const [first = values] = sent
  const part = (own: Arguments) => callOnce(account, { ...asked, arguments: own })
  const answered =
    sent.length === 1
      ? await part(first)
      : joinedAnswers(await account.holding(() => allDone(sent.map(part))))
  return ignored.length === 0 ? answered : narrowed(account, operation, values, answered)
}

/** One call. If the service refuses it or answers only a part, it is tried in another way. */
function callOnce(account: Account, own: Call): Promise<Answered> {
  const form = canonical(own.operation, own.arguments)
  const needed = account.dryRunOf?.inFlight.has(form) ? paidByAnother(account, own) : own
  const asked = payerFirst(account, needed)
  const underway = account.inFlight.get(form)
  if (underway) return joined(account, underway, own, asked)
  const recalled = recall(account, needed)
  if (recalled && !(recalled instanceof Promise)) {
    noteRecalled(needed, 'MEMORY')
    return Promise.resolve(recalled)
  }
  const { waiters } = asked
  const send = () => adapted(account, { ...needed, waiters }, sendBilled(account, asked), form)
  const answer = recalled ? recalledOr(account, needed, recalled, form, send) : send()
  account.beginCall(form, {
    answer,
    payer: asked.users[0].request,
    waiters,
    isKeyRead: isKeyRead(needed.operation, needed.arguments),
    operation: needed.operation,
    arguments: needed.arguments,
  })
  return answer
}

/** The call in a dry run, as another request pays for it. Those that need it share it. */
const paidByAnother = (account: Account, needed: Call): Call => ({
  ...needed,
  requests: [new ClientRequest(account), ...needed.requests],
})

/**
 * The answer of a pending call. A call that is refused is not noted, because it never goes out. If it was not sent
 * because the others that needed it are gone, it is made anew.
 */
async function joined(
  account: Account,
  { answer, payer, waiters }: CallInFlight,
  own: Call,
  asked: Sent,
): Promise<Answered> {
  for (const { request } of asked.users) waiters.add(request)
  let answered: Answered
  try {
    answered = await answer
  } catch (error) {
    const isOfOthers = error instanceof ClosedError && own.requests.some(({ isClosed }) => !isClosed)
    if (isOfOthers) return callOnce(account, own)
    throw error
  }
  for (const { request } of asked.users) if (request !== payer) noteShared(request, asked)
  return answered
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
  account.endCall(form)
  noteRecalled(needed, 'REDIS')
  return found
}

async function adapted(
  account: Account,
  needed: Call,
  sent: Promise<Answered>,
  form: string,
): Promise<Answered> {
  const { operation, arguments: values } = needed
  const again: Again = {
    once: (other) => sendBilled(account, payerFirst(account, { ...needed, arguments: other })),
    known: (other) => call(account, { ...needed, arguments: other }),
  }
  try {
    return await sent.then(
      (answered) => completedAnswer(account, operation, values, answered, again),
      (error: unknown) => fallBack(account, operation, values, error, again),
    )
  } finally {
    account.endCall(form)
  }
}

/** The call with its payer first: the first request whose own limits allow it. */
function payerFirst(account: Account, asked: Call): Sent {
  const { requests, operation, field, arguments: values, waiters = new Waiters(requests) } = asked
  if (requests.length === 1)
    return { operation, arguments: values, field, waiters, users: [{ request: requests[0], rows: 1 }] }
  const rows = new Map<ClientRequest, number>()
  for (const request of requests) rows.set(request, (rows.get(request) ?? 0) + 1)
  const users = [...rows].map(([request, count]) => ({ request, rows: count }))
  const paidBy = (payer: ClientRequest): Sent => {
    const own = { request: payer, rows: rows.get(payer) ?? 1 }
    return {
      operation,
      arguments: values,
      field,
      waiters,
      users: [own, ...users.filter(({ request }) => request !== payer)],
    }
  }
  const first = paidBy(requests[0])
  const tokens = estimateOf(account, first)
  const payer = requests.find(({ allowance }) => allowance.bears(tokens))
  return payer === undefined ? first : paidBy(payer)
}

const canonical = (operation: Operation, values: Arguments): string =>
  `${nameOf(operation)} ${JSON.stringify(values, Object.keys(values).toSorted())}`
