import type { Operation } from '../specification/operation.ts'

/** Tables whose lists a trial may read (specification §5). */
const openLists = new Set(['organization', 'division'])

/**
 * Whether this is a bulk read or a download. If it is refused, the reason is the key's plan, so the refusal lasts.
 * Others may be over by the next request.
 */
export const isBulk = ({ class: table, function: name, arguments: names, batch }: Operation): boolean => {
  if (name === 'download') return true
  const isById = batch !== undefined && names.includes(batch)
  return name.startsWith('read') && (isById || !openLists.has(table))
}

const never = Number.NEGATIVE_INFINITY

/**
 * Whether a key seems to be a trial key: from its first refused bulk read until one is allowed. Times may be
 * noted in any order.
 */
export class TrialSigns {
  #refusedAt = never
  #allowedAt = never
  /** When it was last found to be no trial key any more. */
  #endedAt = never

  /** When a bulk read was last refused; -Infinity if never. */
  get refusedAt(): number {
    return this.#refusedAt
  }

  /** Whether a bulk read was allowed after the last one that was refused. */
  get hasBeenAllowed(): boolean {
    return this.#allowedAt > this.#refusedAt
  }

  get isTrial(): boolean {
    return this.#refusedAt > this.#allowedAt
  }

  /** Rows bought until then may be randomized; -Infinity for none, Infinity while it seems to be a trial. */
  get suspectUntil(): number {
    return this.isTrial ? Number.POSITIVE_INFINITY : this.#endedAt
  }

  /** Notes that a bulk read was refused. */
  noteRefused(at: number): void {
    if (at <= this.#refusedAt) return
    this.#refusedAt = at
    if (!this.isTrial) this.#endedAt = this.#allowedAt
  }

  /** Notes that a bulk read was allowed. */
  noteAllowed(at: number): void {
    if (at <= this.#allowedAt) return
    if (this.isTrial && at >= this.#refusedAt) this.#endedAt = at
    this.#allowedAt = at
  }

  /** Corrects times after `moment`, because the clock was ahead. */
  setBack(moment: number): void {
    const { isTrial } = this
    this.#refusedAt = Math.min(this.#refusedAt, moment)
    this.#allowedAt = Math.min(this.#allowedAt, moment)
    this.#endedAt = Math.min(this.#endedAt, moment)
    if (isTrial && !this.isTrial) this.#allowedAt = never
  }
}
