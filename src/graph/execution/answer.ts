import { locatedError } from 'graphql'
import type { GraphQLError } from 'graphql'
import type { MaybePromise } from '../../loading/maybe-promise.ts'
import { ExecutionBudget, OverLimitError } from './budget.ts'
import type { FieldPlan } from './compile.ts'
import { giveWay } from './give-way.ts'
import { ObjectRef } from './group.ts'
import type { Group } from './group.ts'
import { json, JsonWriter, TooLongError } from './json.ts'

/** The answer to a query that exceeds a limit. Throws any other error. */
export function refusedBy(error: unknown): Answer {
  if (!(error instanceof OverLimitError)) throw error
  return new Answer(null, [locatedError(error, null)])
}

/** The answer to a query. */
export class Answer {
  readonly errors: readonly GraphQLError[] | undefined
  /** The group whose one object is the answer; null if a non-null error removed it. */
  readonly #root: Group | null
  readonly #budget: ExecutionBudget

  constructor(root: Group | null, errors: readonly GraphQLError[], budget = new ExecutionBudget()) {
    this.#root = root
    this.#budget = budget
    if (errors.length > 0) this.errors = errors
  }

  /** Whether `data` is null. */
  get isNull(): boolean {
    return this.#root === null
  }

  /**
   * Drops the data, once it is printed. Groups that waited for a call are old, and refer to rows until the next
   * full collection.
   */
  release(): void {
    if (this.#root) release(this.#root)
  }

  /**
   * The response as JSON: the data between the given texts. After 10 ms it gives way, and goes on later. Throws an
   * OverLimitError if it would have too many bytes, or if printing takes too long.
   */
  bytes(before = '', after = ''): MaybePromise<Buffer> {
    const budget = this.#budget
    printing = { budget, mark: bytesOfPart, left: [] }
    try {
      writer.begin(budget.limits.MAX_ANSWER_BYTES)
      writer.text(before)
      budget.beginSlice(true)
      if (!this.#root) writer.bytes(json.null)
      else if (!writeObject(this.#root, 0)) return printLater(after, [])
      return finish(after)
    } catch (error) {
      throw failureOf(error)
    }
  }
}

/** Empties a group and those below it. */
function release(group: Group): void {
  for (const children of group.children) {
    for (const child of children) release(child)
    children.length = 0
  }
  for (const list of [group.cells, group.sources, group.rows, group.printed]) list.length = 0
}

/** A part of an answer. Returns whether it is printed to its end. */
type Part = () => boolean

/** An answer that is being printed. */
interface Printing {
  readonly budget: ExecutionBudget
  /** The length beyond which the clock is read next. */
  mark: number
  /** What a pause leaves, the innermost part first. */
  left: Part[]
}

/** Bytes after which the clock may be read, and values that have about as many. */
const [bytesOfPart, valuesOfPart] = [16_384, 500]

/** The answer that is printed in this slice, and its writer, which all answers share that need no pause. */
let printing: Printing
let writer = new JsonWriter()

/** Prints what a pause has left, and then other parts, the last one first. */
function printLater(after: string, others: readonly Part[]): Promise<Buffer> {
  const own = { printing, writer }
  const parts = [...others, ...printing.left.toReversed()]
  printing.left = []
  writer = new JsonWriter()
  return new Promise((resolve, reject) => {
    giveWay(() => {
      ;({ printing, writer } = own)
      try {
        printing.budget.beginSlice(false)
        for (let part = parts.pop(); part; part = parts.pop())
          if (!part()) return resolve(printLater(after, parts))
        resolve(finish(after))
      } catch (error) {
        reject(failureOf(error))
      }
    })
  })
}

function finish(after: string): Buffer {
  printing.budget.endSlice()
  writer.text(after)
  return writer.end()
}

function failureOf(error: unknown): Error {
  writer = new JsonWriter() // the other one may have a large buffer
  return error instanceof TooLongError ? printing.budget.tooLong : (error as Error) // nothing else is thrown
}

function isSliceOver(): boolean {
  printing.mark = writer.length + bytesOfPart
  return printing.budget.isSliceOver(valuesOfPart)
}

function writeObject(group: Group, index: number): boolean {
  const { fields, leading } = group.plan
  // Every field may have been left out by @skip.
  if (fields.length === 0) writer.bytes(json.emptyObject)
  else {
    if (leading > 0) writeLeading(group, index)
    if (!writeFields(group, index, leading, fields.length)) return false
    writer.bytes(json.endObject)
  }
  return true
}

/** Writes the columns before all other fields. */
function writeLeading(group: Group, index: number): void {
  const printed = group.printed[index]
  if (printed && printed.text !== null) return writer.latin1(printed.text)
  const start = writer.length
  writeFields(group, index, 0, group.plan.leading)
  if (printed) group.storePrinted(index, printed, writer.latin1From(start))
}

function writeFields(group: Group, index: number, from: number, to: number): boolean {
  const { cells, plan } = group
  for (let nth = from; nth < to; nth += 1) {
    const field = plan.fields[nth]
    if (!field) return true
    const cell = cells[nth]?.[index]
    writer.bytes(field.head)
    if (field.shape.isList && Array.isArray(cell)) {
      if (!writeList(group, field, cell, 0)) return leaveFields(group, index, nth + 1)
    } else if (!writeItem(group, field, cell)) return leaveFields(group, index, nth + 1)
  }
  return true
}

/** Writes the items from one on, and the end of their list. Only between two objects there are pauses. */
function writeList(group: Group, field: FieldPlan, cells: readonly unknown[], from: number): boolean {
  const hasObjects = field.leaf === null
  if (cells.length === 0) writer.bytes(json.beginList)
  for (let nth = from; nth < cells.length; nth += 1) {
    writer.bytes(nth === 0 ? json.beginList : json.comma)
    const isWhole = writeItem(group, field, cells[nth])
    if (!isWhole || (hasObjects && writer.length > printing.mark && isSliceOver()))
      return leaveItems(group, field, cells, nth + 1)
  }
  writer.bytes(json.endList)
  return true
}

function writeItem(group: Group, field: FieldPlan, cell: unknown): boolean {
  if (cell === null) writer.bytes(json.null)
  else if (field.leaf) writer.value(cell)
  else if (cell instanceof ObjectRef) return writeObject(cell.group, cell.index)
  else {
    const child = group.children[field.index]?.[0]
    if (child) return writeObject(child, cell as number) // a cell of an object is a place or an index
  }
  return true
}

// Functions of their own: in the loops, each turn would have a scope on the heap.

function leaveFields(group: Group, index: number, from: number): false {
  printing.left.push(() => {
    const isWhole = writeFields(group, index, from, group.plan.fields.length)
    if (isWhole) writer.bytes(json.endObject)
    return isWhole
  })
  return false
}

function leaveItems(group: Group, field: FieldPlan, cells: readonly unknown[], from: number): false {
  printing.left.push(() => writeList(group, field, cells, from))
  return false
}
