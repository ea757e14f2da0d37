import { MemoryOutbox } from '../../money/files/outbox.ts'
import type { Batch, Outbox } from '../../money/files/outbox.ts'
import type { OwnedSums } from '../../money/shared-ledger.ts'

/** How many times as long as an attempt to write that has failed, the next one waits. */
const patience = 10

/**
 * An outbox in a file, continued in memory while the file cannot be written. What waits in memory is written
 * to the file, in its order, as soon as that is possible. What was removed meanwhile is deleted then.
 */
export class ContinuedOutbox implements Outbox {
  readonly #file: Outbox
  readonly #onFailure: (error: unknown) => void
  readonly #memory = new MemoryOutbox()
  /** Notes that are not in the file yet. */
  readonly #notes = new Map<string, string>()
  /** What was removed, and is still in the file. */
  readonly #sent = new Map<string, number>()
  #isFailing = false
  #pausedUntil = Number.NEGATIVE_INFINITY

  /** `onFailure` is called once when writing the file begins to fail. */
  constructor(file: Outbox, onFailure: (error: unknown) => void) {
    this.#file = file
    this.#onFailure = onFailure
  }

  get isDurable(): boolean {
    return this.#file.isDurable && this.#memory.isEmpty
  }

  /** Brings the file up to date, if that is possible. */
  catchUp(): void {
    if (!this.#memory.isEmpty || this.#sent.size + this.#notes.size > 0) this.#write(() => {})
  }

  put(batch: Batch): void {
    if (!this.#write(() => this.#file.put(batch))) this.#memory.put(batch)
  }

  first(without: ReadonlySet<string>): Batch | undefined {
    return this.#file.first(without, this.#sent) ?? this.#memory.first(without)
  }

  *waiting(): Iterable<Batch> {
    for (const batch of this.#file.waiting())
      if (batch.number > (this.#sent.get(batch.process) ?? 0)) yield batch
    yield* this.#memory.waiting()
  }

  /** If it cannot be deleted, it still counts as removed. After a restart it is sent again, and applied once. */
  remove(batch: Pick<Batch, 'process' | 'number'>): void {
    this.#memory.remove(batch)
    this.#sent.set(batch.process, batch.number)
    this.catchUp()
  }

  /** Batches that are in no file. */
  *inMemory(): Iterable<Batch> {
    if (!this.#file.isDurable) yield* this.#file.waiting()
    yield* this.#memory.waiting()
  }

  get isEmpty(): boolean {
    return this.first(new Set()) === undefined
  }

  note(name: string): string | undefined {
    return this.#notes.get(name) ?? this.#file.note(name)
  }

  setNote(name: string, value: string): void {
    this.#notes.set(name, value)
    this.catchUp()
  }

  sums(): readonly OwnedSums[] {
    return this.#file.sums()
  }

  setSums(sums: readonly OwnedSums[]): void {
    if (!this.#write(() => this.#file.setSums(sums))) throw new Error('The outbox cannot be written.')
  }

  close(): void {
    this.catchUp()
    this.#pausedUntil = Number.POSITIVE_INFINITY
    this.#file.close()
  }

  /**
   * Does a piece of work after all that waits. Returns whether it was done. An attempt takes seconds while
   * another program locks the file, so attempts take at most a tenth of the time.
   */
  #write(work: () => void): boolean {
    const began = performance.now()
    if (began < this.#pausedUntil) return false
    try {
      this.#setNotes()
      this.#delete()
      this.#move()
      work()
      this.#isFailing = false
      return true
    } catch (error) {
      const now = performance.now()
      this.#pausedUntil = now + patience * (now - began)
      if (!this.#isFailing) this.#onFailure(error)
      this.#isFailing = true
      return false
    }
  }

  #setNotes(): void {
    for (const [name, value] of this.#notes) {
      this.#file.setNote(name, value)
      this.#notes.delete(name)
    }
  }

  #delete(): void {
    for (const [process, number] of this.#sent) {
      this.#file.remove({ process, number })
      this.#sent.delete(process)
    }
  }

  #move(): void {
    for (const batch of this.#memory.waiting()) {
      this.#file.put(batch)
      this.#memory.remove(batch)
    }
  }
}
