import { choicesOf } from './choices.ts'
import type { Choices } from './choices.ts'
import { Drift } from './drift.ts'
import { keptFor } from './questions/question.ts'
import { isQuestion, questionOf, questions } from './questions.ts'

/** What was found out about a question, and when, in milliseconds. */
export interface Finding {
  readonly found: string
  readonly at: number
}

/** Findings by the names of their questions. */
export type Findings = Readonly<Record<string, Finding>>

export interface Noted {
  readonly name: string
  readonly found: string
  readonly assumed: string
  /** What the graph does with it. */
  readonly consequence: string
}

/** How often an assumption is put to the test by calls that are billed, until the findings expire. */
const mostTests = 3

/**
 * What a service supports, as far as it was found out. What was not, and what has expired, is assumed to be
 * as specified.
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

  /** Believes what another process has found since. */
  adopt(findings: Findings): void {
    for (const [name, finding] of Object.entries(findings)) {
      const known = this.#findings.get(name)
      if (isKnown(name, finding) && (!known || known.at < finding.at)) this.#findings.set(name, finding)
    }
    this.#choices = null
  }

  /** Tells of each finding that is new. */
  onFinding(listener: (noted: Noted) => void): void {
    this.#listeners.push(listener)
  }

  /** What was found; what is assumed where nothing was, or not lately. */
  finding(name: string): string {
    return this.#fresh(name)?.found ?? questionOf(name).assumed
  }

  /** Whether a question has an answer that is believed. */
  isFound(name: string): boolean {
    return this.#fresh(name) !== undefined
  }

  /** Tells when there is something to be kept: a finding, or that an assumption was seen to hold. */
  onChange(listener: () => void): void {
    this.#keepers.push(listener)
  }

  /** Notes a finding. Tells of it if it is another than before. */
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

  /** Whether an assumption may be tested once more by a call of its own. Counts the test. */
  mayTest(name: string): boolean {
    if (this.isFound(name)) return false
    const tests = this.#tests.get(name) ?? 0
    this.#tests.set(name, tests + 1)
    return tests < mostTests
  }

  /** What follows from the findings for calls and answers. */
  get choices(): Choices {
    if (!this.#choices || this.#clock() >= this.#nextExpiry) {
      this.#choices = choicesOf((name) => this.finding(name))
      this.#nextExpiry = Math.min(
        ...[...this.#findings].map(([name]) => this.#expiry(name)).filter((at) => at > this.#clock()),
      )
    }
    return this.#choices
  }

  /** The questions in which the service differs from what is assumed. */
  get differences(): readonly { readonly name: string; readonly found: string }[] {
    return questions.flatMap(({ name, assumed }) => {
      const found = this.finding(name)
      return found === assumed ? [] : [{ name, found }]
    })
  }

  /** The findings that are believed. */
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

/** Whether a file's finding is one that this version knows. */
function isKnown(name: string, { found, at }: Finding): boolean {
  return isQuestion(name) && Object.hasOwn(questionOf(name).findings, found) && Number.isFinite(at)
}
