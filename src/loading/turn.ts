import type { ClientRequest } from '../account/client-request.ts'
import { inActiveSpan } from '../trace.ts'

/** A batch of asks, and what decides when it is sent. */
export interface TurnBatch {
  /** The name of its loader. */
  readonly name: string
  /**
   * When it is sent: first what calls nothing itself, but asks loaders; then calls; last those that are planned by what
   * others have under way.
   */
  readonly order: 'asks' | 'calls' | 'last'
  readonly send: () => void
}

/** What a request does at the end of its turn. */
interface TurnAsk {
  readonly request: ClientRequest
  readonly ask: () => void
}

/** The asks and the batches of this turn of the event loop. */
let asks: TurnAsk[] = []
let batches: TurnBatch[] = []
let isDue = false

/**
 * What `ask` returns at the end of the turn. A request whose execution gives way to others has one long turn, which
 * ends when the execution waits for what was asked: a pause splits no batch, and the bill does not depend on the
 * speed of the machine.
 */
export function atTurnsEnd<V>(request: ClientRequest, ask: () => V | Promise<V>): Promise<V> {
  return new Promise((resolve) => {
    // The calls belong to the trace of the field that asked.
    asks.push({ request, ask: inActiveSpan(() => resolve(ask())) })
    endTurn()
  })
}

/**
 * Sends a batch at the end of the turn, when every resolver has asked. What asks loaders goes first, so that its asks
 * join the batches of the same turn. Batches of one order go by name, so that neither the calls of a turn nor their
 * order depend on which field asked first.
 */
export function sendAtTurnsEnd(batch: TurnBatch): void {
  // The calls of a batch belong to the trace of the field that asked first.
  batches.push({ ...batch, send: inActiveSpan(batch.send) })
  endTurn()
}

/** Sends what was asked when this turn of the event loop ends. */
export function endTurn(): void {
  if (isDue || asks.length + batches.length === 0) return
  isDue = true
  setImmediate(sendAll)
}

function sendAll(): void {
  for (;;) {
    askAll()
    const first = byName(batches.filter(({ order }) => order === 'asks'))
    if (first.length === 0) break
    batches = batches.filter(({ order }) => order !== 'asks')
    for (const { send } of first) send()
  }
  const others = (['calls', 'last'] as const).flatMap((order) =>
    byName(batches.filter((batch) => batch.order === order)),
  )
  batches = []
  isDue = false
  for (const { send } of others) send()
}

/** Asks for all requests but those whose turn goes on. */
function askAll(): void {
  const those = asks
  asks = those.filter(({ request }) => request.executing > 0)
  for (const { request, ask } of those) if (request.executing === 0) ask()
}

const byName = (those: readonly TurnBatch[]): readonly TurnBatch[] =>
  those.length < 2 ? those : those.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
