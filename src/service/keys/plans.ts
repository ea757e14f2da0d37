/** The rights of a key (specification §5). */
export interface Plan {
  /** Tokens in a calendar month (UTC); null for no limit. */
  readonly quota: number | null
  /** Bulk `read` beyond organization and division, readBoxscore and ranking/download. */
  readonly read: boolean
  /** An active subscription: projections are simulated. */
  readonly active: boolean
  /** Some values are randomized. */
  readonly randomized: boolean
}

const trial: Plan = { quota: 500, read: false, active: false, randomized: true }

/** A lapsed subscription has the rights of a trial. */
export const plans = {
  trial,
  paid: { quota: null, read: true, active: true, randomized: false },
  'paid-without-read': { quota: null, read: false, active: true, randomized: false },
  lapsed: trial,
} satisfies Readonly<Record<string, Plan>>

export type PlanName = keyof typeof plans

export const planNames = Object.keys(plans) as readonly PlanName[] // Object.keys loses the names; they are exactly these

export const isPlanName = (name: string): name is PlanName => Object.hasOwn(plans, name)
