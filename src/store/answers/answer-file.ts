import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { isBusy, isDamaged, isUnusable } from '../../money/files/sqlite.ts'
import { storedName } from '../../account/answer-store.ts'
import type { AccountStore, AnswerStore, Bought } from '../../account/answer-store.ts'
import { clockDifference } from '../../account/restore.ts'
import { AnswerTable, removeTable } from './answer-table.ts'
import type { Bounds, Row } from './answer-table.ts'
import { Deferred } from './deferred.ts'
import { pack, unpack } from './packing.ts'

export const ANSWER_FILE = 'answers.sqlite'

const mebibyte = 1_048_576

/** Maximum bytes of answers in the file. The oldest are deleted first. */
const mostKept = 256 * mebibyte
/**
 * Maximum compressed bytes of one account that are read when its key first comes. In memory they take about
 * forty times as many.
 */
const mostRestored = 8 * mebibyte
/** Maximum answers that wait to be written, and bytes of them: a sixteenth of the heap, at most 64 MiB. */
const mostWaiting = 10_000
const mostBytes = Math.floor(Math.min(64 * mebibyte, getHeapStatistics().heap_size_limit / 16))
/** Bytes of a waiting answer beside its text and its form. */
const answerBytes = 1_024
/**
 * Milliseconds from the first waiting answer to the write. A killed process loses the answers of this time.
 */
const writeEvery = 500

export interface AnswerFileOptions {
  readonly clock: () => number
  /** Milliseconds for which an answer can be useful. */
  readonly keptFor: number
  /** Identifies the service, so that answers of different services are not mixed. */
  readonly service: string
  /** Called once each time writing begins to fail, and when a damaged file is replaced by an empty one. */
  readonly warn: (message: string) => void
  readonly mostKept?: number
  readonly mostWaiting?: number
}

/** An answer to be written: as it was bought, then packed, which takes a sixth of the memory. */
interface Waiting {
  readonly account: string
  readonly form: string
  readonly boughtAt: number
  bought: Bought | null
  body: Buffer | null
  /** Its bytes when it was last added. */
  bytes: number
}

type WaitingOf = Map<string, Map<string, Waiting>>

/** Stores answers in a SQLite file. They are written in the background, in batches. */
export class AnswerFile implements AnswerStore {
  readonly #file: string
  readonly #options: AnswerFileOptions
  readonly #nameOf: (apiKey: string) => string
  #table: AnswerTable
  #waiting = new Map<string, Waiting>()
  #waitingBytes = 0
  /** The same by account and form, so that a returning key finds its own. */
  #waitingOf: WaitingOf = new Map()
  #beingWritten = new Map<string, Waiting>()
  #beingWrittenOf: WaitingOf = new Map()
  #writing: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #isFailing = false
  readonly #deferred = new Deferred()

  /** Throws if the folder or the file cannot be written. A damaged file is replaced by an empty one. */
  constructor(folder: string, options: AnswerFileOptions) {
    this.#options = options
    mkdirSync(folder, { recursive: true })
    this.#file = join(folder, ANSWER_FILE)
    this.#table = this.#opened()
    this.#nameOf = this.#table.nameOf
  }

  open(apiKey: string, replay: (bought: readonly Bought[]) => void, isKnown?: object): AccountStore {
    const account = this.#nameOf(`${this.#options.service} ${apiKey}`)
    const { known, hasMore } = isKnown ? nothing : this.#restore(account)
    if (known.length > 0) replay(known)
    return {
      keep: (bought) => this.#keep(account, bought),
      find: (form) => this.#find(account, form),
      hasMore,
    }
  }

  /** How many answers are not written yet. */
  get waiting(): number {
    return this.#waiting.size + this.#beingWritten.size
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writeNext()
    try {
      this.#table.close()
    } catch {
      // It is damaged, or already closed after a reported failure.
    }
  }

  /** The newest stored answers of an account, oldest first, and whether there are more. */
  #restore(account: string): { readonly known: readonly Bought[]; readonly hasMore: boolean } {
    const waiting = [this.#beingWrittenOf, this.#waitingOf]
      .flatMap((of) => [...(of.get(account)?.values() ?? [])])
      .flatMap((one) => boughtIn(one) ?? [])
    try {
      const { bodies, hasMore } = this.#table.newestOf(account, this.#bounds, mostRestored)
      const known = bodies.flatMap((body) => unpack(body) ?? [])
      return { known: [...known.toReversed(), ...waiting], hasMore }
    } catch (error) {
      if (isUnusable(error)) this.#replace(error)
      // Otherwise the file is busy, or cannot be read now. Its answers may be found later, one by one.
      return { known: waiting, hasMore: !isUnusable(error) }
    }
  }

  #find(account: string, form: string): Bought | undefined {
    const name = nameOf({ account, form })
    const waiting = this.#waiting.get(name) ?? this.#beingWritten.get(name)
    if (waiting) return boughtIn(waiting) ?? undefined
    try {
      const body = this.#table.one(account, form, this.#bounds)
      return (body && unpack(body)) ?? undefined
    } catch {
      // It is busy or damaged. The next write will report it.
      return undefined
    }
  }

  get #bounds(): Bounds {
    const { clock, keptFor, mostKept: most = mostKept } = this.#options
    const now = clock()
    return { oldest: now - keptFor, newest: now + clockDifference, most }
  }

  #keep(account: string, bought: Bought): void {
    const form = storedName(bought)
    const waiting = { account, form, boughtAt: bought.boughtAt, bought, body: null, bytes: 0 }
    this.#deferred.add(() => void packed(waiting))
    this.#add(waiting)
  }

  #add(waiting: Waiting): void {
    const { account } = waiting
    const name = nameOf(waiting)
    this.#waitingBytes -= this.#waiting.get(name)?.bytes ?? 0
    this.#waiting.delete(name)
    this.#waiting.set(name, waiting)
    waiting.bytes = bytesOf(waiting)
    this.#waitingBytes += waiting.bytes
    const own = this.#waitingOf.get(account)
    if (own) own.set(waiting.form, waiting)
    else this.#waitingOf.set(account, new Map([[waiting.form, waiting]]))
    const { mostWaiting: most = mostBytes } = this.#options
    while (this.#waiting.size > mostWaiting || this.#waitingBytes > most) this.#dropOldest()
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#writeNext()
    }, writeEvery).unref()
  }

  #dropOldest(): void {
    const [oldest] = this.#waiting.values()
    if (!oldest) return
    this.#waitingBytes -= oldest.bytes
    this.#waiting.delete(nameOf(oldest))
    const own = this.#waitingOf.get(oldest.account)
    own?.delete(oldest.form)
    if (own?.size === 0) this.#waitingOf.delete(oldest.account)
  }

  /** Writes the waiting answers after the running write. */
  #writeNext(): Promise<void> {
    return (this.#writing = this.#writing.then(() => this.#write()))
  }

  /** Writes the waiting answers in one transaction. */
  async #write(): Promise<void> {
    const waiting = [...this.#waiting.values()]
    this.#beingWritten = this.#waiting
    this.#beingWrittenOf = this.#waitingOf
    this.#waiting = new Map()
    this.#waitingBytes = 0
    this.#waitingOf = new Map()
    if (waiting.length === 0) return
    const rows: Row[] = []
    for (const one of waiting) {
      await packed(one)
      const { account, form, boughtAt, body } = one
      if (body) rows.push({ account, form, boughtAt, body })
    }
    try {
      if (!existsSync(this.#file)) this.#recreate()
      this.#table.put(rows, this.#bounds)
      this.#beingWritten = new Map()
      this.#beingWrittenOf = new Map()
      this.#isFailing = false
    } catch (error) {
      if (isBusy(error)) return this.#again(waiting)
      if (isDamaged(error)) return this.#replace(error)
      if (!this.#isFailing) this.#options.warn(`Bought rows cannot be written: ${messageOf(error)}.`)
      this.#isFailing = true
    }
  }

  #again(waiting: readonly Waiting[]): void {
    for (const one of waiting) if (!this.#waiting.has(nameOf(one))) this.#add(one)
  }

  #opened(): AnswerTable {
    try {
      return new AnswerTable(this.#file)
    } catch (error) {
      if (!isUnusable(error)) throw error
      removeTable(this.#file)
      const empty = new AnswerTable(this.#file)
      this.#options.warn(damaged(error))
      return empty
    }
  }

  /** The file was deleted while it is open. What it had is bought again after a restart. */
  #recreate(): void {
    this.#options.warn('The file of bought rows in DATA_DIR was deleted and is replaced by an empty one.')
    this.#table.abandon()
    removeTable(this.#file) // its log
    mkdirSync(dirname(this.#file), { recursive: true })
    this.#table = new AnswerTable(this.#file, this.#table.secret)
  }

  /** Starts again with an empty file but the same secret, so that new answers are found after a restart. */
  #replace(error: unknown): void {
    try {
      this.#table.abandon()
      removeTable(this.#file)
      this.#table = new AnswerTable(this.#file, this.#table.secret)
      this.#options.warn(damaged(error))
    } catch (failure) {
      if (!this.#isFailing) this.#options.warn(`Bought rows cannot be written: ${messageOf(failure)}.`)
      this.#isFailing = true
    }
  }
}

const nothing = { known: [], hasMore: false }

/** Packs an answer, unless it is. */
function packed(waiting: Waiting): Promise<void> | undefined {
  if (!waiting.bought) return undefined
  const body = pack(waiting.bought)
  const store = (bytes: Buffer) => {
    waiting.body = bytes
    waiting.bought = null
  }
  if (!(body instanceof Promise)) return void store(body)
  return body.then(store)
}

/** The form is in the answer, too, and in the names by which it is found. */
const bytesOf = ({ bought, body, form }: Waiting): number =>
  answerBytes + 3 * form.length + (body?.length ?? (bought?.kind === 'answer' ? bought.text.length : 0))

const boughtIn = ({ bought, body }: Waiting): Bought | null => bought ?? (body && unpack(body))

const nameOf = ({ account, form }: Pick<Waiting, 'account' | 'form'>) => `${account} ${form}`

const damaged = (error: unknown) =>
  `The file of bought rows in DATA_DIR was damaged (${messageOf(error)}) and is replaced by an empty one.`

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
