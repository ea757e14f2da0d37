import { getHeapStatistics } from 'node:v8'
import type { DocumentNode } from 'graphql'
import { bytesOfDocument } from './checked-documents.ts'

/** Maximum bytes of the documents of open subscriptions: a sixteenth of the heap, at most 100 MB. */
const most = Math.floor(Math.min(100e6, getHeapStatistics().heap_size_limit / 16))

/** The documents of open subscriptions, which keep them also if the cache of documents has dropped them. */
export class OpenDocuments {
  readonly #most: number
  /** How many subscriptions have each of them. */
  readonly #open = new Map<DocumentNode, number>()
  #bytes = 0

  constructor(mostBytes = most) {
    this.#most = mostBytes
  }

  /** Whether there is room for a subscription with this document. One that is open takes none. */
  hasRoomFor(document: DocumentNode): boolean {
    return this.#open.has(document) || this.#bytes + bytesOfDocument(document) <= this.#most
  }

  /** Counts a subscription that begins or ends. */
  count(document: DocumentNode, change: 1 | -1): void {
    const before = this.#open.get(document) ?? 0
    const left = before + change
    if (left > 0) this.#open.set(document, left)
    else this.#open.delete(document)
    if (before === 0 || left === 0) this.#bytes += change * bytesOfDocument(document)
  }
}
