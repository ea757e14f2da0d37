import { Capabilities } from '../capabilities/capabilities.ts'
import { asSpecified } from '../capabilities/conversions.ts'
import { Inspector } from '../capabilities/inspect.ts'
import type { Probe, Question, Reply, Subject } from '../capabilities/questions/question.ts'
import { questions } from '../capabilities/questions.ts'
import { learnSubject } from '../capabilities/subject.ts'
import { Estimates } from '../account/estimates.ts'
import type { Bill } from '../money/bill.ts'
import { unbooked } from './doctor-booking.ts'
import type { Book } from './doctor-booking.ts'
import type { ProbeResult, Known } from './send-probe.ts'

/** The result of one question. */
export interface QuestionResult {
  readonly question: Question
  /** The finding; null if it was not asked or the answers show nothing. */
  readonly found: string | null
  /** Why there is no finding. */
  readonly reason: string | null
  /** Tokens spent on it. A call that serves several questions counts for the first. */
  readonly tokens: number
}

export interface Examination {
  readonly lines: readonly QuestionResult[]
  readonly capabilities: Capabilities
  /** Ids of a league, which can be set as the default league. */
  readonly subject: Subject
  readonly tokens: number
  /** Whether tokens are estimated from bytes, because the service reports none. */
  readonly isEstimated: boolean
  readonly calls: number
  /** Why it ended early; null if all questions were asked. */
  readonly trouble: string | null
}

/** Sends a probe. */
export type Ask = (probe: Probe, known: Known) => Promise<ProbeResult>

interface State {
  subject: Subject
  tokens: number
  isEstimated: boolean
  calls: number
  trouble: string | null
  readonly replies: Map<string, Reply>
}

/** A row may be larger than its columns suggest by this factor. */
const margin = 1.2

/** Identifies a probe, so that a call made for one question answers others too. */
const nameOfProbe = (probe: Probe) =>
  JSON.stringify([
    probe.operation.class,
    probe.operation.function,
    probe.arguments,
    probe.method,
    probe.values,
    probe.gzip,
  ])

/**
 * Asks a service all questions, in order, for at most `most` tokens. Each call is priced before it is sent.
 * It is skipped if it is too dear, or if `book` finds the budget too small.
 */
export async function examine(
  ask: Ask,
  most: number,
  about: Subject,
  clock: () => number,
  book: Book = unbooked,
): Promise<Examination> {
  const capabilities = new Capabilities(clock)
  const inspector = new Inspector(capabilities)
  const estimates = new Estimates()
  const state: State = {
    subject: about,
    tokens: 0,
    isEstimated: false,
    calls: 0,
    trouble: null,
    replies: new Map(),
  }
  const lines: QuestionResult[] = []
  for (const question of questions) {
    const before = state.tokens
    const outcome = await put(question)
    if (question.name === 'POST' && outcome.found === 'refused')
      state.subject = { ...state.subject, isPostRefused: true }
    if (outcome.found !== null) capabilities.note(question.name, outcome.found)
    lines.push({ question, ...outcome, tokens: state.tokens - before })
  }
  const outcomes = [...state.replies.values()].map(({ outcome }) => outcome)
  if (outcomes.length > 0 && outcomes.every((outcome) => outcome === 'no such operation'))
    state.trouble ??=
      'The service has none of the operations: UPSTREAM_URL must include its version, such as /v1.'
  const everywhere = lines.map((line) => lookedUp(line, [...state.replies.values()], state.subject))
  for (const { question, found } of everywhere) if (found !== null) capabilities.note(question.name, found)
  const { subject, tokens, isEstimated, calls, trouble } = state
  return { lines: everywhere, capabilities, subject, tokens, isEstimated, calls, trouble }

  async function put({ probes, judge }: Question): Promise<Pick<QuestionResult, 'found' | 'reason'>> {
    if (probes.length === 0) return { found: null, reason: 'The graph learns it.' }
    let reason: string | null = null
    for (const [nth, probeOf] of probes.entries()) {
      const probe = probeOf(state.subject)
      if (probe === null) {
        reason ??= 'Its ids are not known.'
        continue
      }
      const reply = await replyTo(probe)
      if (typeof reply === 'string') return { found: null, reason: reason ?? reply }
      const found = judge(reply, state.subject, nth)
      if (found !== null) return { found, reason: null }
      reason = `The service answered: ${reply.outcome}.`
    }
    return { found: null, reason }
  }

  async function replyTo(probe: Probe): Promise<Reply | string> {
    const name = nameOfProbe(probe)
    const known = state.replies.get(name)
    if (known) return known
    if (state.trouble !== null) return 'The examination ended before.'
    const price = priceOf(probe)
    if (state.tokens + price > most)
      return `Skipped: it may cost ${price} tokens, and ${Math.max(0, most - state.tokens)} are left.`
    const settle = await book(probe.operation, price)
    if (!settle) return `Skipped: it may cost ${price} tokens, and this month’s budget has fewer left.`
    const { areIdsUpper, emptyStatus } = capabilities.choices
    const asked = await ask(probe, { areIdsUpper, emptyStatus })
    const bill = billOf(asked, probe, price)
    await settle(bill)
    const { reply, trouble } = asked
    state.calls += 1
    state.tokens += bill.tokens
    state.isEstimated ||= bill.estimated
    state.trouble ??= trouble
    if (reply) take(name, reply, bill)
    return reply ?? trouble ?? 'There was no answer.'
  }

  /** A request without an answer may have been billed. */
  function billOf({ reply, isUnsent }: ProbeResult, { operation }: Probe, price: number): Bill {
    if (!reply) return { tokens: isUnsent ? 0 : price, bytes: 0, estimated: !isUnsent }
    const { tokens, bytes } = reply
    return {
      tokens: tokens ?? estimates.tokensFor(operation, bytes),
      bytes,
      estimated: tokens === undefined,
    }
  }

  function priceOf({ operation, rows = 1 }: Probe): number {
    return estimates.tokensFor(operation, margin * rows * estimates.bytesPerRow(operation) + 2)
  }

  function take(name: string, reply: Reply, bill: Bill): void {
    const { operation } = reply.probe
    const { tokens } = bill
    if (!bill.estimated && tokens > 0) estimates.learn(operation, {}, reply.rows.length, bill)
    if (tokens > most)
      state.trouble ??= `The service billed ${tokens} tokens for one request, more than the ${most} that may be spent.`
    if (reply.outcome === 'no answer' && state.replies.size === 0)
      state.trouble ??= `The service is not available: it answers with status ${reply.status}.`
    state.replies.set(name, reply)
    state.subject = learnSubject(state.subject, lowerCase(reply))
    for (const row of reply.rows) inspector.look({ ...operation, answer: 'row' }, row)
  }
}

const lowerCase = (reply: Reply): Reply => {
  const how = { ids: true, numbers: true, timestamps: true, lists: true }
  return { ...reply, rows: reply.rows.map((row) => asSpecified(reply.probe.operation, row, how)) }
}

/** For a question that every reply may answer: a finding that differs from the assumption wins. */
function lookedUp(line: QuestionResult, replies: readonly Reply[], about: Subject): QuestionResult {
  const { question } = line
  if (!question.isSeenEverywhere) return line
  const found = replies.flatMap((reply) => question.judge(reply, about, 0) ?? [])
  const other = found.find((one) => one !== question.assumed) ?? found[0]
  return other === undefined ? line : { ...line, found: other, reason: null }
}
