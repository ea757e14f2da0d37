import { setImmediate as turn } from 'node:timers/promises'
import type { Transport } from '../../src/wire/transport.ts'

/** Turns of the event loop without a new call after which the round is complete. */
const quiet = 20

export interface Counted {
  readonly transport: Transport
  /** What went through it. */
  bill(): { readonly bytes: number; readonly calls: number; readonly rounds: number }
}

/**
 * A transport that delivers answers in rounds: all answers of a round together, once all have arrived and the
 * layer makes no further call. So each round is a wait that the layer could not avoid, however long its calls
 * take.
 */
export function inRounds(transport: Transport): Counted {
  let [bytes, calls, rounds, underway] = [0, 0, 0, 0]
  let held: (() => void)[] = []
  const letGo = async () => {
    const before = calls
    for (let nth = 0; nth < quiet; nth += 1) await turn()
    if (underway > 0 || calls !== before || held.length === 0) return
    const round = held
    held = []
    rounds += 1
    for (const release of round) release()
  }
  const send: Transport = async (request) => {
    calls += 1
    underway += 1
    const answer = await transport(request).finally(() => (underway -= 1))
    bytes += answer.bytes
    const released = new Promise<void>((release) => held.push(release))
    if (underway === 0) void letGo()
    await released
    return answer
  }
  return { transport: send, bill: () => ({ bytes, calls, rounds }) }
}
