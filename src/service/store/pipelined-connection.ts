import { Client, DatabaseError } from 'pg'
import { jittered } from '../../greatest-age.ts'
import { clientConfig, SILENCE_MS } from './postgres.ts'
import type { Closing, Waits } from './postgres.ts'

export type Value = string | number | boolean | null

export interface Statement {
  readonly name: string | undefined
  readonly text: string
  readonly values: readonly (string | number)[]
  resolve(rows: Value[][]): void
  reject(error: unknown): void
}

interface Events {
  /** All statements are answered. */
  onIdle(): void
  /** It is closed or has failed, and accepts no more statements. */
  onEnd(): void
}

/**
 * The database confirms a charge before its disk does, as the embedded one does. So a charge survives the end
 * of this process, but not a crash of the database's machine. `options` in DATABASE_URL overrides this.
 */
const LATE_FLUSH = '-c synchronous_commit=off'

const CHECK_MS = 250

const INVALID_STATEMENT_NAME = '26000'

/** Whether a statement followed one of the same name that failed before it was prepared. */
const isUnprepared = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === INVALID_STATEMENT_NAME

/** One connection that sends statements without waiting for earlier answers. */
export class PipelinedConnection {
  readonly #client: Client
  readonly #connected: Promise<unknown>
  readonly #events: Events
  readonly #longestSilence: number
  readonly #watch: NodeJS.Timeout
  readonly #oldAt: number
  #isOpen = false
  #pending = 0
  #lastAnswerAt = 0

  constructor(url: string, waits: Waits, events: Events) {
    this.#events = events
    this.#longestSilence = waits.statement + SILENCE_MS
    this.#oldAt = performance.now() + jittered(waits.age)
    this.#client = new Client({
      ...clientConfig(url),
      statement_timeout: waits.statement,
      connectionTimeoutMillis: waits.connect,
      pipeline: true,
      options: LATE_FLUSH,
    })
    this.#client.on('error', () => {})
    this.#client.once('end', () => this.#ended())
    this.#connected = this.#client.connect().then(() => (this.#isOpen = true))
    this.#connected.catch(() => this.#ended())
    this.#watch = setInterval(() => this.#checkSilence(), CHECK_MS).unref()
  }

  /** Whether it was opened so long ago that the database's name may have moved. */
  get isOld(): boolean {
    return performance.now() >= this.#oldAt
  }

  /** The number of unanswered statements. */
  get pending(): number {
    return this.#pending
  }

  /** Milliseconds without an answer while one is awaited. */
  get silence(): number {
    return this.#pending === 0 ? 0 : performance.now() - this.#lastAnswerAt
  }

  /** Sends statements in one write. */
  send(statements: readonly Statement[]): void {
    if (this.#pending === 0) this.#lastAnswerAt = performance.now()
    this.#pending += statements.length
    if (this.#isOpen) return this.#write(statements)
    this.#connected.then(
      () => this.#write(statements),
      (error: unknown) => {
        for (const { reject } of statements) {
          this.#answered()
          reject(error)
        }
      },
    )
  }

  #write(statements: readonly Statement[]): void {
    const { stream } = this.#client.connection
    stream.cork()
    for (const statement of statements) this.#query(statement)
    stream.uncork()
  }

  #query(statement: Statement, isAgain = false): void {
    const { name, text, values, resolve, reject } = statement
    const query = {
      text,
      values: [...values],
      rowMode: 'array' as const,
      ...(name !== undefined && { name }),
    }
    this.#client.query<Value[]>(query, (error, result) => {
      if (!isAgain && isUnprepared(error)) return this.#query(statement, true)
      this.#answered()
      if (error) reject(error)
      else resolve(result.rows)
    })
  }

  #answered(): void {
    this.#pending -= 1
    this.#lastAnswerAt = performance.now()
    if (this.#pending === 0) this.#events.onIdle()
  }

  /** Cuts the connection if the server has been silent for too long. Waiting statements then fail. */
  #checkSilence(): void {
    if (this.silence > this.#longestSilence) this.#client.connection.stream.destroy()
  }

  #ended(): void {
    clearInterval(this.#watch)
    this.#events.onEnd()
  }

  /** Closes it once its statements are answered. */
  close(): void {
    this.#ended()
    void this.#client.end().catch(() => {})
    // A silent server does not close its side, which would keep this process running.
    if (this.#pending === 0) (this.#client as Closing).unref()
  }
}
