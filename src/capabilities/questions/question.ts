import type { Arguments, Operation } from '../../specification/operation.ts'
import type { RawRow } from '../../specification/raw-row.ts'

/** A JSON object as it was received. */

/** A call that tests a question. */
export interface Probe {
  readonly operation: Operation
  readonly arguments: Arguments
  /** Expected rows of the answer, to estimate its price; 1 by default. */
  readonly rows?: number
  /** How it is sent, if that is the question; by default GET with repeated parameters. */
  readonly method?: 'POST'
  readonly values?: 'comma list'
  /** Whether a compressed answer is asked for. */
  readonly gzip?: true
}

/** What kind of answer it is. */
export type Outcome =
  | 'rows'
  | 'nothing'
  | 'access denied'
  | 'key refused'
  | 'quota spent'
  | 'no such operation'
  | 'error'
  | 'no answer'

/** The answer to a probe. */
export interface Reply {
  readonly probe: Probe
  readonly outcome: Outcome
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The parsed body; undefined if it is not JSON. */
  readonly body: unknown
  /** Its rows, however the service packs them. */
  readonly rows: readonly RawRow[]
  /** Bytes of the body, and on the wire; null if the service does not say. */
  readonly bytes: number
  readonly wireBytes: number | null
  /** Tokens that the usage header reports; undefined if it is missing or unclear. */
  readonly tokens: number | undefined
}

/** Ids that further probes need, learned from the answers so far. */
export interface Subject {
  readonly organization_id?: string
  readonly division_id?: string
  readonly season?: number
  readonly game_id?: string
  readonly home_team_id?: string
  readonly away_team_id?: string
  readonly day?: string
  /** Whether the service refuses POST. */
  readonly isPostRefused?: true
}

/**
 * Something that the specification leaves open: what is assumed, how to ask the service, and what the graph
 * does with each answer. The doctor, the running graph, the documentation and the tests read these
 * declarations.
 */
export interface Question<F extends string = string> {
  readonly name: string
  /** The section of the specification, and what it leaves open. */
  readonly section: string
  readonly open: string
  readonly assumed: F
  /** Every possible finding, and what the graph does with it. */
  readonly findings: Readonly<Record<F, string>>
  /**
   * The probes, tried in order until one gives an answer. A probe is null while its ids are unknown. Without
   * probes, only the running graph finds the answer.
   */
  readonly probes: readonly ((about: Subject) => Probe | null)[]
  /** The finding that follows from the reply to the nth probe; null if the reply shows nothing. */
  readonly judge: (reply: Reply, about: Subject, nth: number) => F | null
  /** Whether replies to other questions' probes count too. */
  readonly isSeenEverywhere?: true
  /** How long a finding is valid, in milliseconds; a week by default. */
  readonly keptFor?: number
}

const day = 86_400_000

/** How long a finding of this question is valid, in milliseconds. */
export const keptFor = ({ keptFor: own = 7 * day }: Question): number => own

/**
 * Declares a question. The types require that the assumption and all results of `judge` are among the
 * findings.
 */
export const question = <F extends string>(one: Question<F>): Question<F> => one

/** The billing unit in bytes, as assumed. */
export const bytesPerUnit = 1024

/** Ids that no row has. */
export const nobody = '00000000-0000-4000-8000-000000000000'
export const nobodyElse = '00000000-0000-4000-8000-000000000001'

/** Whether the service refused the call itself, and not the key. */
export const isRefused = ({ outcome }: Reply): boolean =>
  outcome === 'error' || outcome === 'no such operation'
