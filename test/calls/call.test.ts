import { describe, expect, test } from 'vitest'
import type { AccountStore, Bought, Found } from '../../src/account/answer-store.ts'
import { ClientRequest } from '../../src/account/client-request.ts'
import type { UpstreamSettings } from '../../src/account/settings.ts'
import { Upstream } from '../../src/account/upstream.ts'
import { bill, keep, lease, send, share } from '../../src/calls/call.ts'
import type { Exchange } from '../../src/calls/exchange.ts'
import { payerFirst } from '../../src/calls/reserve.ts'
import type { Lease } from '../../src/calls/reserve.ts'
import type { Call, Sent } from '../../src/calls/sent.ts'
import { ClosedError, TimeoutError, UnavailableError } from '../../src/errors/errors.ts'
import { fills } from '../../src/loaders/fills.ts'
import { noBill } from '../../src/money/bill.ts'
import type { Bill } from '../../src/money/bill.ts'
import { operations } from '../../src/specification/operations.ts'
import type { Arguments } from '../../src/specification/operation.ts'
import type { Answered } from '../../src/wire/answer.ts'
import { Deadline } from '../../src/wire/deadline.ts'
import type { Incoming } from '../../src/wire/transport.ts'

const teams = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const

const answerOf = (body: unknown, tokens = 3, more: Partial<Incoming> = {}): Incoming => {
  const text = JSON.stringify(body)
  return {
    status: 200,
    headers: { 'x-request-usage': String(tokens) },
    body: text,
    bytes: text.length,
    ...more,
  }
}

const unavailable = answerOf({}, 1, { status: 503 })

interface Options extends Partial<UpstreamSettings> {
  readonly apiKey?: string
  /** How the service answers one request after the other; the last one is repeated. */
  readonly replies?: readonly (Incoming | Error)[]
}

/** An account of a service that answers as told, and what was sent to it. */
function accountOver({ apiKey = 'a key of an account', replies = [answerOf({})], ...more }: Options = {}) {
  const paths: string[] = []
  const upstream = new Upstream({
    fills,
    transport: async ({ path }) => {
      const reply = replies[Math.min(paths.push(path), replies.length) - 1]
      if (!reply || reply instanceof Error) throw reply ?? new Error('The service has no reply.')
      return reply
    },
    monthlyTokenBudget: null,
    timeoutMs: 60_000,
    retryPauses: [0, 0],
    batchSize: 500,
    concurrency: 4,
    clock: () => Date.UTC(2026, 1, 14),
    ...more,
  })
  return { account: upstream.accountOf(apiKey), upstream, paths }
}

type Account = ReturnType<typeof accountOver>['account']

const requestOf = (account: Account, maxTokens: number | null = null) =>
  new ClientRequest(account, { client: 'a page', limits: { maxTokens, maxCalls: 10 } })

const callOf = (
  requests: Call['requests'],
  values: Arguments = { team_id: [...teams], season: 2026 },
): Call => ({ operation: operations.readElo, arguments: values, requests, field: 'Team.rating' })

const sentOf = (account: Account, ...requests: Call['requests']): Sent =>
  payerFirst(account, callOf(requests))

const linesOf = ({ plan }: ClientRequest) => plan.map(({ source, tokens }) => `${source} ${tokens}`)

describe('share', () => {
  const answered: Answered = { keys: ['a'], body: {}, boughtAt: 1 }

  test('sends a call that is not under way, and notes it until it is answered', async () => {
    const { account } = accountOver()
    const request = requestOf(account)
    const sent: Sent[] = []
    const answer = share(account, callOf([request]), async (one) => {
      sent.push(one)
      return answered
    })
    expect([...account.inFlight.values()].map(({ payer }) => payer)).toEqual([request])
    expect(await answer).toBe(answered)
    expect(sent.map(({ users }) => users)).toEqual([[{ request, rows: 1 }]])
    expect([account.inFlight.size, request.plan]).toEqual([0, []])
  })

  test('lets one pay whose limits allow the call', async () => {
    const { account } = accountOver()
    const [poor, rich] = [requestOf(account, 0), requestOf(account)]
    const sent: Sent[] = []
    await share(account, callOf([poor, rich, rich]), async (one) => {
      sent.push(one)
      return answered
    })
    expect(sent.map(({ users }) => users)).toEqual([
      [
        { request: rich, rows: 2 },
        { request: poor, rows: 1 },
      ],
    ])
  })

  test('joins the same call, whatever the order of its arguments', async () => {
    const { account } = accountOver()
    const [first, second] = [requestOf(account), requestOf(account)]
    let sends = 0
    const send = async () => {
      sends += 1
      return answered
    }
    const answers = [
      share(account, callOf([first]), send),
      share(account, callOf([second], { season: 2026, team_id: [...teams] }), send),
      share(account, callOf([second], { season: 2025, team_id: [...teams] }), send),
      share(account, callOf([first]), send),
    ]
    expect(await Promise.all(answers)).toEqual([answered, answered, answered, answered])
    expect(sends).toBe(2)
    expect([linesOf(first), linesOf(second)]).toEqual([[], ['SHARED 0']])
  })

  test('notes no shared call that failed, and makes one anew that was not sent for others', async () => {
    const { account } = accountOver()
    const [first, second] = [requestOf(account), requestOf(account)]
    const errors = [new ClosedError(), new TimeoutError('late')]
    const send = async () => {
      throw errors.shift() ?? new Error('A third call was sent.')
    }
    const settled = await Promise.allSettled([
      share(account, callOf([first]), send),
      share(account, callOf([second]), send),
    ])
    expect(settled.map((one) => one.status === 'rejected' && one.reason.constructor.name)).toEqual([
      'ClosedError',
      'TimeoutError',
    ])
    expect([linesOf(first), linesOf(second), account.inFlight.size]).toEqual([[], [], 0])
  })

  const stored: Bought = {
    kind: 'answer',
    operation: 'readElo',
    arguments: { team_id: [...teams], season: 2026 },
    boughtAt: Date.UTC(2026, 1, 14) - 1_000,
    bill: noBill,
    isRandomized: false,
    text: JSON.stringify({ a: { team_id: teams[0], season: 2026, elo: 1500, game_id: null } }),
  }
  const storing = (found: Found | Promise<Found>) => {
    const store: AccountStore = { keep: () => {}, find: () => found, hasMore: true }
    return accountOver({ answers: { open: () => store, close: async () => {} } }).account
  }

  test.each([
    ['MEMORY', stored],
    ['REDIS', Promise.resolve(stored)],
  ])('recalls what is stored beyond memory: %s', async (source, found) => {
    const account = storing(found)
    const request = requestOf(account)
    const { keys } = await share(account, callOf([request]), async () => {
      throw new Error('A stored answer was bought again.')
    })
    expect(keys).toHaveLength(1)
    expect([linesOf(request), account.inFlight.size]).toEqual([[`${source} 0`], 0])
  })

  test('sends a call that Redis has no answer to', async () => {
    const account = storing(Promise.resolve(undefined))
    const request = requestOf(account)
    expect(await share(account, callOf([request]), async () => answered)).toBe(answered)
    expect([linesOf(request), account.inFlight.size]).toEqual([[], 0])
  })
})

describe('lease', () => {
  const codeOf = async (sent: Sent) => {
    let uses = 0
    const use = async () => void (uses += 1)
    const error: unknown = await lease(sent, use).catch((reason: unknown) => reason)
    return [error instanceof Error ? error.constructor.name : null, uses]
  }

  test('allows a call with a reservation, a deadline and a way past the breaker', async () => {
    const { account } = accountOver({ monthlyTokenBudget: 1_000 })
    const leased = await lease(sentOf(account, requestOf(account)), async (one) => {
      expect(account.ledger.unreserved).toBe(1_000 - one.reservation.tokens)
      return one
    })
    expect(leased.reservation.tokens).toBeGreaterThan(0)
    expect(leased.passage.isProbe).toBe(false)
    leased.reservation.settle({ ...noBill, tokens: 2 })
    expect(account.ledger.unreserved).toBe(998)
  })

  test('refuses a call without a key', async () => {
    const { account } = accountOver({ apiKey: '' })
    expect(await codeOf(sentOf(account, requestOf(account)))).toEqual(['UnauthenticatedError', 0])
  })

  test('refuses what was refused to the plan of the key', async () => {
    const { account, upstream } = accountOver()
    account.noteRefused('elo/read', upstream.settings.clock())
    expect(await codeOf(sentOf(account, requestOf(account)))).toEqual(['AccessDeniedError', 0])
  })

  test('refuses a call to a service that does not answer', async () => {
    let now = Date.UTC(2026, 1, 14)
    const { account, upstream } = accountOver({ clock: () => now })
    const { breaker } = upstream.health
    for (let nth = 0; nth < 4; nth += 1) {
      breaker.failed({ isProbe: false, answersBefore: 0 })
      now += 2_000
    }
    breaker.enter()
    account.reserve = () => expect.unreachable('A call that cannot be sent was reserved.')
    expect(await codeOf(sentOf(account, requestOf(account)))).toEqual(['PausedError', 0])
  })

  test('refuses a call that nobody waits for', async () => {
    const { account } = accountOver()
    const request = requestOf(account)
    request.connection = { destroyed: true }
    expect(await codeOf(sentOf(account, request))).toEqual(['ClosedError', 0])
    expect(await codeOf(sentOf(account, request, requestOf(account)))).toEqual([null, 1])
  })

  test('refuses what exceeds a budget or the limit of its payer, and counts no call of it', async () => {
    const { account } = accountOver({ monthlyTokenBudget: 0 })
    const request = requestOf(account)
    expect(await codeOf(sentOf(account, request))).toEqual(['BudgetExceededError', 0])
    expect(request.allowance.covers(0)).toBe(true)
    const poor = requestOf(accountOver().account, 0)
    expect(await codeOf(sentOf(poor.account, poor))).toEqual(['QueryTooExpensiveError', 0])
    expect(poor.allowance.remaining).toBe(0)
  })

  test('gives a call its turn when another one is over', async () => {
    const { account } = accountOver({ concurrency: 1 })
    const begun: string[] = []
    const ends: (() => void)[] = []
    const begin = (name: string) =>
      lease(sentOf(account, requestOf(account)), () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.push(resolve))
      })
    const both = [begin('first'), begin('second')]
    expect(begun).toEqual(['first'])
    ends[0]?.()
    await both[0]
    expect(begun).toEqual(['first', 'second'])
    ends[1]?.()
    await both[1]
  })
})

describe('send', () => {
  /** A lease that costs nothing to get. `settled` has its bills. */
  function leaseOf(account: Account, isProbe = false) {
    const settled: Bill[] = []
    const deadline = new Deadline(60_000)
    const leased: Lease = {
      sent: sentOf(account, requestOf(account)),
      deadline,
      passage: { isProbe, answersBefore: 0 },
      reservation: {
        tokens: 5,
        written: undefined,
        book: () => {},
        settle: (one) => void settled.push(one),
      },
      began: 0,
    }
    return { leased, settled, deadline }
  }

  const sending = async (options: Options, isProbe = false) => {
    const { account, paths } = accountOver(options)
    const { leased, settled, deadline } = leaseOf(account, isProbe)
    try {
      const exchange = await send(leased)
      return { exchange, settled, paths }
    } finally {
      deadline.end()
    }
  }

  test('sends one request, and settles its reservation by its bill', async () => {
    const answer = answerOf({ a: {} }, 7)
    const { exchange, settled, paths } = await sending({ replies: [answer] })
    const paid = { tokens: 7, bytes: answer.bytes, estimated: false }
    expect(exchange).toMatchObject({ requests: 1, cost: paid, outcome: { answer, bill: paid } })
    expect(settled).toEqual([paid])
    expect(paths).toEqual([`/elo/read?team_id=${teams[0]}&team_id=${teams[1]}&season=2026`])
  })

  test('tries again while the service is not available, and tells what all tries cost', async () => {
    const { exchange, paths } = await sending({
      replies: [unavailable, new UnavailableError('reset'), answerOf({}, 3)],
    })
    expect(exchange).toMatchObject({
      requests: 3,
      cost: { tokens: 4, estimated: false },
      outcome: { answer: { status: 200 }, bill: { tokens: 3 } },
    })
    expect(paths).toHaveLength(3)
  })

  test('returns the last failure when its tries are over', async () => {
    const error = new UnavailableError('reset')
    const { exchange } = await sending({ replies: [unavailable, error] })
    expect(exchange).toMatchObject({ requests: 3, cost: { tokens: 1 }, outcome: { error } })
  })

  test('does not try again what was late, and bills its reservation', async () => {
    const error = new TimeoutError('late')
    const { exchange, settled } = await sending({ replies: [error] })
    expect(exchange).toMatchObject({ requests: 1, outcome: { error } })
    expect(settled).toEqual([{ tokens: 5, bytes: 0, estimated: true }])
  })

  test('gives a probe one try', async () => {
    const { exchange } = await sending({ replies: [unavailable] }, true)
    expect(exchange).toMatchObject({ requests: 1, outcome: { answer: { status: 503 } } })
  })

  test('does not wait longer than its time', async () => {
    const later = answerOf({}, 1, { status: 503, headers: { 'x-request-usage': '1', 'retry-after': '600' } })
    const { exchange } = await sending({ replies: [later] })
    expect(exchange).toMatchObject({
      requests: 1,
      cost: { tokens: 1 },
      outcome: { error: { details: { retryAfter: 600 } } },
    })
  })

  test('returns what it has if another try exceeds the budget', async () => {
    const { exchange } = await sending({ replies: [unavailable], monthlyTokenBudget: 0 })
    expect(exchange).toMatchObject({ requests: 1, outcome: { answer: { status: 503 } } })
  })
})

const exchangeOf = (sent: Sent, outcome: Exchange['outcome'], more: Partial<Exchange> = {}): Exchange => ({
  sent,
  began: performance.now(),
  requests: 1,
  cost: outcome.bill,
  outcome,
  ...more,
})

describe('bill', () => {
  test('charges the payer, and the others note that they share', () => {
    const { account, upstream } = accountOver()
    const [payer, other] = [requestOf(account), requestOf(account)]
    const cost = { tokens: 4, bytes: 90, estimated: true }
    bill(exchangeOf(sentOf(account, payer, other, other), { error: null, bill: cost }, { requests: 2 }))
    expect(payer.usage).toEqual({ tokens: 4, bytes: 90, calls: 1, cacheHits: 0, estimated: true })
    expect(payer.plan).toMatchObject([
      {
        operation: 'elo/read',
        arguments: ['team_id', 'season'],
        ids: 2,
        tokens: 4,
        bytes: 90,
        source: 'UPSTREAM',
        field: 'Team.rating',
        estimated: true,
      },
    ])
    expect([payer.attempts, linesOf(other), other.attempts]).toEqual([2, ['SHARED 0'], 0])
    expect(upstream.ledgers.totals().calls).toBe(1)
  })
})

describe('keep', () => {
  const paid = { tokens: 3, bytes: 99, estimated: false }
  const row = (team: string) => ({ team_id: team, season: 2026, elo: 1500, game_id: null })

  const keeping = (answer: Incoming, options: Options = {}) => {
    const { account, upstream } = accountOver(options)
    const kept: Bought[] = []
    account.keep = (one) => void kept.push(one)
    const sent = sentOf(account, requestOf(account))
    return { account, upstream, kept, keeps: () => keep(exchangeOf(sent, { answer, bill: paid })) }
  }

  test('stores rows, sizes and the answer', () => {
    const body = { a: row(teams[0]), b: row(teams[1]) }
    const { account, kept, keeps } = keeping(answerOf(body))
    const { estimates } = account
    const form = [operations.readElo, { team_id: [...teams], season: 2026 }] as const
    expect([account.hasAnswers, estimates.isKnown(...form)]).toEqual([false, false])
    expect(keeps()).toMatchObject({ body })
    expect([account.hasAnswers, estimates.isKnown(...form)]).toEqual([true, true])
    expect(account.rows.entry('elo', 'a')).toBeDefined()
    expect(kept).toMatchObject([
      {
        kind: 'answer',
        operation: 'readElo',
        arguments: { team_id: [...teams], season: 2026 },
        bill: paid,
        isRandomized: false,
        text: JSON.stringify(body),
      },
    ])
  })

  test('notes that the values are randomized', () => {
    const headers = { 'x-request-usage': '3', 'x-data-quality': 'randomized' }
    const { account, kept, keeps } = keeping(answerOf({}, 3, { headers }))
    keeps()
    expect(account.dataQuality()).toBe('RANDOMIZED')
    expect(kept).toMatchObject([{ isRandomized: true, text: '{}' }])
  })

  test('throws the error of an answer, and remembers what is refused to the plan', () => {
    const { account, kept, keeps } = keeping(answerOf({ error: 'Access denied' }))
    expect(keeps).toThrow('The API key’s plan does not allow this.')
    expect(account.refusals.has('elo/read')).toBe(true)
    expect(kept).toMatchObject([{ kind: 'refusal', operation: 'elo/read' }])
  })

  test('throws the error of a call without an answer, and stores nothing', () => {
    const { account } = accountOver()
    const error = new TimeoutError('late')
    const failed = exchangeOf(sentOf(account, requestOf(account)), { error, bill: noBill })
    expect(() => keep(failed)).toThrow(error)
    expect(account.hasAnswers).toBe(false)
  })

  test('stores all rows of a service that ignored a filter, and answers with those that were asked for', () => {
    const body = { a: row(teams[0]), z: row('00000000-0000-4000-8000-00000000000f') }
    const { upstream, kept, keeps } = keeping(answerOf(body))
    expect(keeps()).toMatchObject({ body: { a: body.a } })
    expect(kept).toMatchObject([{ arguments: { season: 2026 }, text: JSON.stringify(body) }])
    expect(upstream.capabilities.finding('team_id of elo/read')).toBe('ignored')
  })
})
