import { choicesOf } from './choices.ts'
import type { Choices } from './choices.ts'
import { Drift } from './drift.ts'
import { keptFor } from './questions/question.ts'
import { isQuestion, questionOf, questions } from './questions.ts'

/** The answer found to a question, and its time in milliseconds since 1970. */
export interface Finding {
  readonly found: string
  readonly at: number
}

/** Findings by the name of their question. */
export type Findings = Readonly<Record<string, Finding>>

export interface Noted {
  readonly name: string
  readonly found: string
  readonly assumed: string
  /** What the graph does because of this finding. */
  readonly consequence: string
}

/** How often an assumption may be tested by billed calls before its finding expires. */
const mostTests = 3

/**
 * What the service supports, as far as it was found out. Questions without a finding, or with an expired one,
 * are answered with the assumption: the service does what its specification says.
 */
export class Capabilities {
  readonly drift: Drift
  readonly #clock: () => number
  readonly #findings = new Map<string, Finding>()
  readonly #tests = new Map<string, number>()
  readonly #listeners: ((noted: Noted) => void)[] = []
  readonly #keepers: (() => void)[] = []
  #choices: Choices | null = null
  #nextExpiry = Number.POSITIVE_INFINITY

  constructor(clock: () => number, findings: Findings = {}, drift = new Drift()) {
    this.#clock = clock
    this.drift = drift
    this.adopt(findings)
  }

  /** Takes over newer findings of another process. */
  adopt(findings: Findings): void {
    for (const [name, finding] of Object.entries(findings)) {
      const known = this.#findings.get(name)
      if (isKnown(name, finding) && (!known || known.at < finding.at)) this.#findings.set(name, finding)
    }
    this.#choices = null
  }

  /** Calls `listener` for each new finding. */
  onFinding(listener: (noted: Noted) => void): void {
    this.#listeners.push(listener)
  }

  /** The finding; the assumption if there is none or it has expired. */
  finding(name: string): string {
    return this.#fresh(name)?.found ?? questionOf(name).assumed
  }

  /** Whether the question has a finding that has not expired. */
  isFound(name: string): boolean {
    return this.#fresh(name) !== undefined
  }

  /** Calls `listener` when there is something to save: a finding, or a confirmed assumption. */
  onChange(listener: () => void): void {
    this.#keepers.push(listener)
  }

  /** Stores a finding. Listeners hear of it if it differs from the one before. */
  note(name: string, found: string): void {
    const before = this.finding(name)
    if (this.isFound(name) && before === found) return
    const { assumed, findings } = questionOf(name)
    this.#findings.set(name, { found, at: this.#clock() })
    this.#choices = null
    for (const keep of this.#keepers) keep()
    if (before === found) return
    const noted = { name, found, assumed, consequence: findings[found] ?? '' }
    for (const listener of this.#listeners) listener(noted)
  }

  /** Whether the assumption may be tested by one more call of its own. Counts that test. */
  mayTest(name: string): boolean {
    if (this.isFound(name)) return false
    const tests = this.#tests.get(name) ?? 0
    this.#tests.set(name, tests + 1)
    return tests < mostTests
  }

  /** How the findings change calls and answers. */
  get choices(): Choices {
    if (!this.#choices || this.#clock() >= this.#nextExpiry) {
      this.#choices = choicesOf((name) => this.finding(name))
      this.#nextExpiry = Math.min(
        ...[...this.#findings].map(([name]) => this.#expiry(name)).filter((at) => at > this.#clock()),
      )
    }
    return this.#choices
  }

  /** The questions whose finding differs from the assumption. */
  get differences(): readonly { readonly name: string; readonly found: string }[] {
    return questions.flatMap(({ name, assumed }) => {
      const found = this.finding(name)
      return found === assumed ? [] : [{ name, found }]
    })
  }

  /** All findings that have not expired. */
  get findings(): Findings {
    const found = questions.flatMap(({ name }) => {
      const finding = this.#fresh(name)
      return finding ? [[name, finding] as const] : []
    })
    return Object.fromEntries(found)
  }

  #fresh(name: string): Finding | undefined {
    const finding = this.#findings.get(name)
    return finding && this.#expiry(name) > this.#clock() ? finding : undefined
  }

  #expiry(name: string): number {
    return (this.#findings.get(name)?.at ?? 0) + keptFor(questionOf(name))
  }
}

/** Whether this version knows the question and the finding that a file names. */
function isKnown(name: string, { found, at }: Finding): boolean {
  return isQuestion(name) && Object.hasOwn(questionOf(name).findings, found) && Number.isFinite(at)
}
