import type { Whose } from '../../money/shared-ledger.ts'

/**
 * Milliseconds after its wish was sent in which an allotment may begin to be spent. From then on it is spent for twelve
 * seconds at most. Redis keeps it for 20 seconds, so that a process that is a little late still has it.
 */
const lasts = 6_000

/** Milliseconds for which a call waits until the others have given back what they hold: more than a heartbeat. */
const longestRecall = 2_500

/** Milliseconds after which it is asked again whether they have. */
const askEvery = 100

/** Milliseconds without a call after which nothing of a budget is held any more. */
const usedFor = 600_000

/** Maximum budgets of which tokens are held: those of the latest calls. */
const mostHeld = 200

/** What is wanted of a budget. */
export interface Wish {
  readonly whose: Whose
  /** Tokens of the budget. */
  readonly limit: number
  /** Tokens that this process still holds. */
  readonly holds: number
  /** Tokens that it wants at most. */
  readonly most: number
}

/** What Redis says of a budget. */
export interface Allotted {
  readonly whose: Whose
  /** Tokens that this process holds. */
  readonly own: number
  /** Whether all are asked to give back what they hold. */
  readonly isRecalled: boolean
}

/** The reply to a wish. */
export interface Reply extends Allotted {
  /** Tokens that other processes hold. */
  readonly others: number
}

interface Wiring {
  /** The monthly tokens of a budget; null for no limit. */
  readonly limitOf: (whose: Whose) => number | null
  /** Tokens that all processes have spent and reserved of it, as far as is known. */
  readonly usedOf: (whose: Whose) => number
  /** The number of processes; infinite if unknown. */
  readonly instances: () => number
  /** Sends wishes. Resolves with nothing if Redis allots nothing at present. Throws RedisAwayError. */
  readonly send: (wishes: readonly Wish[], number: number) => Promise<readonly Reply[]>
  /** Told what may be spent of a budget if Redis goes away before `until`, in milliseconds of `performance.now()`. */
  readonly onAllotted: (whose: Whose, tokens: number, until: number) => void
}

/** A reservation that a budget has to cover. */
export interface Use {
  readonly whose: Whose
  readonly tokens: number
}

interface Held {
  readonly whose: Whose
  /** Tokens of the largest reservation. Less than that is of no use alone. */
  largest: number
  /** The time of the last reservation, by `performance.now()`. */
  usedAt: number
  tokens: number
  until: number
  isRecalled: boolean
  others: number
}

/** What others hold before it is known. */
const unknown = Number.POSITIVE_INFINITY

const idOf = ({ month, kind, name }: Whose) => `${month} ${kind} ${name}`

/**
 * What this process may spend of each budget at once if Redis goes away: tokens that Redis grants to nobody else. All
 * processes together hold at most half of what is left. Where that half is needed, all give back what they hold, and
 * for a minute no process holds anything of that budget.
 */
export class Allotments {
  readonly #wiring: Wiring
  readonly #held = new Map<string, Held>()
  /** What is renewed before the next heartbeat. */
  #due = new Set<Held>()
  /** The number of the last wishes. Redis ignores earlier ones that come late. */
  #number = 0
  /** How often Redis has gone away. */
  #releases = 0
  /** Ends the pause before the others are asked again. */
  #endPause = () => {}
  #renewing: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #asking: Promise<void> | null = null
  #isClosed = false

  constructor(wiring: Wiring) {
    this.#wiring = wiring
  }

  /** Notes reservations. Of a budget that is used for the first time, tokens are asked for soon. */
  use(uses: readonly Use[]): void {
    for (const { whose, tokens } of uses) {
      const id = idOf(whose)
      const isNew = !this.#held.has(id)
      const held = this.#of(whose)
      held.largest = Math.max(held.largest, tokens)
      held.usedAt = performance.now()
      // The latest are at the end.
      this.#held.delete(id)
      this.#held.set(id, held)
      if (isNew) this.#renewSoon(held)
    }
    if (this.#held.size > 2 * mostHeld) this.#forgetUnused()
  }

  /** Takes over what Redis says of budgets beside the grants of a batch. */
  hear(allotted: readonly Allotted[]): void {
    for (const { whose, own, isRecalled } of allotted) {
      const held = this.#of(whose)
      this.#set(held, Math.min(held.tokens, own), held.until)
      held.isRecalled = isRecalled
      if (!isRecalled) continue
      held.others = unknown
      this.#renewSoon(held)
    }
  }

  /** Renews what is held, and forgets budgets that are not used any more. Throws RedisAwayError. */
  renew(): Promise<void> {
    this.#forgetUnused()
    const all = [...this.#held.values()]
    // One large call does not count for ever.
    for (const held of all) held.largest *= 0.9
    return this.#renew(all)
  }

  #forgetUnused(): void {
    const unused = performance.now() - usedFor
    for (const [id, { usedAt }] of this.#held)
      if (usedAt < unused || this.#held.size > mostHeld) this.#held.delete(id)
  }

  /**
   * Resolves when no other process holds anything of the budgets that are recalled, when Redis goes away, or after the
   * longest wait: a process that was killed gives nothing back.
   */
  async recalled(): Promise<void> {
    const releases = this.#releases
    for (const end = performance.now() + longestRecall; performance.now() < end;) {
      const recalled = [...this.#held.values()].filter(({ isRecalled }) => isRecalled)
      if (recalled.every(({ others }) => others === 0)) return
      this.#asking ??= this.#ask(recalled).finally(() => (this.#asking = null))
      await this.#asking
      if (releases !== this.#releases) return
    }
  }

  /** Redis is away. What was held may be spent now, so it is not held any more when Redis is back. */
  release(): void {
    this.#releases += 1
    this.#endPause()
    for (const held of this.#held.values()) [held.tokens, held.until] = [0, 0]
  }

  /** Budgets have new names. */
  forget(): void {
    this.release()
    this.#held.clear()
  }

  /** Gives everything back, before this process ends. Throws RedisAwayError. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#renew([...this.#held.values()])
  }

  #of(whose: Whose): Held {
    const id = idOf(whose)
    const held = this.#held.get(id)
    if (held) return held
    const added = { whose, largest: 0, usedAt: 0, tokens: 0, until: 0, isRecalled: false, others: 0 }
    this.#held.set(id, added)
    return added
  }

  #set(held: Held, tokens: number, until: number): void {
    held.tokens = tokens
    held.until = until
    this.#wiring.onAllotted(held.whose, tokens, until)
  }

  #renewSoon(held: Held): void {
    if (this.#isClosed) return
    this.#due.add(held)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const due = [...this.#due]
      this.#due.clear()
      // If Redis is away, nothing is held.
      this.#renew(due).catch(() => {})
    }, 10).unref()
  }

  /** One renewal at a time: the replies come in the order of the wishes. */
  #renew(budgets: readonly Held[]): Promise<void> {
    const renewed = this.#renewing.catch(() => {}).then(() => this.#send(budgets))
    this.#renewing = renewed
    // Who renews is told.
    renewed.catch(() => {})
    return renewed
  }

  async #send(budgets: readonly Held[]): Promise<void> {
    const wishes = budgets.flatMap((held) => this.#wish(held) ?? [])
    if (wishes.length === 0) return
    const until = performance.now() + lasts
    this.#number += 1
    const releases = this.#releases
    const replies = await this.#wiring.send(wishes, this.#number)
    // Redis was away meanwhile: what was held is being spent.
    if (releases !== this.#releases) return
    let isRecalled = false
    for (const { whose, own, others, isRecalled: isNow } of replies) {
      const held = this.#of(whose)
      this.#set(held, own, until)
      isRecalled ||= isNow && own > 0
      held.isRecalled = isNow
      held.others = others
    }
    // They are given back by the next wishes: until the reply has come, this process counts on them.
    if (isRecalled) await this.#send(budgets)
  }

  /** What is held becomes less before Redis hears of it, and more when it has. */
  #wish(held: Held): Wish | null {
    const { whose } = held
    const limit = this.#wiring.limitOf(whose)
    if (limit === null) return null
    const most = this.#isClosed || held.isRecalled ? 0 : this.#part(held, limit)
    const holds = held.until > performance.now() ? Math.min(held.tokens, most) : 0
    if (holds < held.tokens) this.#set(held, holds, held.until)
    return { whose, limit, holds, most }
  }

  /** This process' part of the half of what is left of a budget, if it covers a reservation. */
  #part({ whose, largest }: Held, limit: number): number {
    const { usedOf, instances } = this.#wiring
    const part = Math.floor(Math.max(0, limit - usedOf(whose)) / (2 * instances()))
    return part < largest ? 0 : part
  }

  /** Asks whether the others have given back what they hold of these budgets. */
  async #ask(recalled: readonly Held[]): Promise<void> {
    const releases = this.#releases
    await this.#renew(recalled).catch(() => {})
    if (recalled.every(({ others }) => others === 0) || releases !== this.#releases) return
    await new Promise<void>((passed) => {
      this.#endPause = passed
      setTimeout(passed, askEvery)
    })
  }
}
