/** What a key may do (specification §5). */
export interface Plan {
  /** Tokens in a calendar month (UTC); null where nothing limits them. */
  readonly quota: number | null
  /** Bulk `read` beyond organization and division, readBoxscore and ranking/download. */
  readonly read: boolean
  /** An active subscription: projections are simulated. */
  readonly active: boolean
}

const trial: Plan = { quota: 500, read: false, active: false }

/** A subscription that has lapsed leaves what a trial has. */
export const plans = {
  trial,
  paid: { quota: null, read: true, active: true },
  'paid-without-read': { quota: null, read: false, active: true },
  lapsed: trial,
} satisfies Readonly<Record<string, Plan>>

export type PlanName = keyof typeof plans

export const planNames = Object.keys(plans) as readonly PlanName[] // Object.keys forgets the names; they are exactly these.

export const isPlanName = (name: string): name is PlanName => Object.hasOwn(plans, name)
