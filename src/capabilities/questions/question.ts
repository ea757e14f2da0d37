import type { Arguments, Operation } from '../../specification/operations.ts'

/** A JSON object as it came. */
export type RawRow = Readonly<Record<string, unknown>>

/** A call that a question is put with. */
export interface Probe {
  readonly operation: Operation
  readonly arguments: Arguments
  /** Rows expected in the answer, for its price; 1 unless told. */
  readonly rows?: number
  /** How it is sent, where that is what is asked: GET with repeated parameters unless told. */
  readonly method?: 'POST'
  readonly values?: 'comma list'
  /** Whether a compressed answer is asked for. */
  readonly gzip?: true
}

/** What an answer amounts to, whatever its shape. */
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
  /** The parsed body; undefined where it is not JSON. */
  readonly body: unknown
  /** Its rows, however the service packs them. */
  readonly rows: readonly RawRow[]
  /** Bytes of the body, and on the wire as far as the service tells. */
  readonly bytes: number
  readonly wireBytes: number | null
  /** Tokens that the usage header tells; undefined where it is missing or illegible. */
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
  /** Whether the service was found to take no POST. */
  readonly isPostRefused?: true
}

/**
 * Something that the specification leaves open: what we assume, how the service is asked, and what the graph
 * does with each finding. The doctor, the running graph, the documentation and the tests read these
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
   * The calls to put it with, in order, until one has an answer. A call is null while its subject is unknown.
   * None: only the running graph learns it.
   */
  readonly probes: readonly ((about: Subject) => Probe | null)[]
  /** What a reply to the probe with that number tells; null where it tells nothing. */
  readonly judge: (reply: Reply, about: Subject, nth: number) => F | null
  /** Whether every reply may tell, and not only those to its own probes. */
  readonly isSeenEverywhere?: true
  /** How long a finding is believed, in milliseconds; a week unless told. */
  readonly keptFor?: number
}

const day = 86_400_000

/** How long the graph believes what it was told of a service, in milliseconds. */
export const keptFor = ({ keptFor: own = 7 * day }: Question): number => own

/** Declares a question. Its assumption and its judgement are among its findings, or it does not compile. */
export const question = <F extends string>(one: Question<F>): Question<F> => one

/** Bytes of the unit in which answers are taken to be billed. */
export const bytesPerUnit = 1024

/** Ids of nothing. */
export const nobody = '00000000-0000-4000-8000-000000000000'
export const nobodyElse = '00000000-0000-4000-8000-000000000001'

/** Whether the service understood a call, whatever it has to say. */
export const isUnderstood = ({ outcome }: Reply): boolean =>
  outcome === 'rows' || outcome === 'nothing' || outcome === 'access denied'

/** Whether the service refused the call for what it asks, and not for the key's sake. */
export const isRefused = ({ outcome }: Reply): boolean =>
  outcome === 'error' || outcome === 'no such operation'
