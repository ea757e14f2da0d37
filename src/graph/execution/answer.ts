import { locatedError } from 'graphql'
import type { ExecutionResult, GraphQLError } from 'graphql'
import { OverLimitError } from './budget.ts'
import type { ExecutionBudget } from './budget.ts'
import type { FieldPlan } from './compile.ts'
import { ObjectRef } from './group.ts'
import type { Group } from './group.ts'
import { json, JsonWriter, TooLongError } from './json.ts'

/** The answer to a query that exceeds a limit. Throws any other error. */
export function refusedBy(error: unknown): Answer {
  if (!(error instanceof OverLimitError)) throw error
  return new Answer(null, [locatedError(error, null)])
}

/** Writes an answer within `MAX_ANSWER_BYTES`. Throws an OverLimitError. */
function withinLimit<T>(budget: ExecutionBudget | null, write: () => T): T {
  writer.begin(budget?.limits.MAX_ANSWER_BYTES)
  try {
    return write()
  } catch (error) {
    throw budget && error instanceof TooLongError ? budget.tooLong : error
  }
}

/** The answer to a query. */
export class Answer {
  readonly errors: readonly GraphQLError[] | undefined
  /** The group whose one object is the answer; null if a non-null error removed it. */
  readonly #root: Group | null

  /** Limits its bytes; null if they are not limited. */
  readonly #budget: ExecutionBudget | null

  constructor(root: Group | null, errors: readonly GraphQLError[], budget: ExecutionBudget | null = null) {
    this.#root = root
    this.#budget = budget
    if (errors.length > 0) this.errors = errors
  }

  /** Whether `data` is null. */
  get isNull(): boolean {
    return this.#root === null
  }

  /** The result in the form of GraphQL's own executor. */
  get result(): ExecutionResult {
    const { errors } = this
    const data = this.#root && objectAt(this.#root, 0)
    return errors ? { errors, data } : { data }
  }

  /** Throws an OverLimitError if data and errors would have too many bytes. */
  checkBytes(): void {
    withinLimit(this.#budget, () => {
      if (this.#root) writeObject(this.#root, 0)
      for (const error of this.errors ?? []) writer.value(error)
      writer.check()
    })
  }

  /**
   * Drops the data, once it is printed. Groups that waited for a call are old, and refer to rows until the next
   * full collection.
   */
  release(): void {
    if (this.#root) release(this.#root)
  }

  /**
   * The response as JSON: the data between the given texts. Throws an OverLimitError if it would have too many
   * bytes.
   */
  bytes(before = '', after = ''): Buffer {
    return withinLimit(this.#budget, () => {
      writer.text(before)
      if (this.#root) writeObject(this.#root, 0)
      else writer.bytes(json.null)
      writer.text(after)
      return writer.end()
    })
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

type Data = Record<string, unknown>

function objectAt(group: Group, index: number): Data {
  const { fields, template, leading } = group.plan
  const text = group.printed[index]?.text ?? null
  const object: Data = { ...template, ...(text !== null && columnsIn(text)) }
  for (const field of text === null ? fields : fields.slice(leading))
    object[field.responseName] = valueOf(group, field, cellAt(group, field, index))
  return object
}

/** Columns that are known as JSON, which is left open for the fields after them. */
const columnsIn = (printed: string) =>
  JSON.parse(`${Buffer.from(printed, 'latin1').toString('utf8')}}`) as Data // written by writeFields()

const cellAt = ({ cells }: Group, field: FieldPlan, index: number): unknown => cells[field.index]?.[index]

function valueOf(group: Group, field: FieldPlan, cell: unknown): unknown {
  if (cell === null) return null
  if (field.shape.isList && Array.isArray(cell)) return cell.map((item) => itemOf(group, field, item))
  return itemOf(group, field, cell)
}

function itemOf(group: Group, field: FieldPlan, cell: unknown): unknown {
  if (cell === null || field.leaf) return cell
  if (cell instanceof ObjectRef) return objectAt(cell.group, cell.index)
  const [child] = group.children[field.index] ?? []
  return child ? objectAt(child, cell as number) : null // a cell of an object is a place or an index
}

/** One writer for all answers: an answer is written without pause. */
const writer = new JsonWriter()

function writeObject(group: Group, index: number): void {
  const { fields, leading } = group.plan
  // Every field may have been left out by @skip.
  if (fields.length === 0) return writer.bytes(json.emptyObject)
  if (leading > 0) writeLeading(group, index)
  writeFields(group, index, leading, fields.length)
  writer.bytes(json.endObject)
}

/** Writes the columns before all other fields. */
function writeLeading(group: Group, index: number): void {
  const printed = group.printed[index]
  if (printed && printed.text !== null) return writer.latin1(printed.text)
  const start = writer.length
  writeFields(group, index, 0, group.plan.leading)
  if (printed) group.storePrinted(index, printed, writer.latin1From(start))
}

function writeFields(group: Group, index: number, from: number, to: number): void {
  const { cells, plan } = group
  for (let nth = from; nth < to; nth += 1) {
    const field = plan.fields[nth]
    if (!field) return
    const cell = cells[nth]?.[index]
    writer.bytes(field.head)
    if (cell === null) writer.bytes(json.null)
    else if (field.shape.isList && Array.isArray(cell)) writeList(group, field, cell)
    else writeItem(group, field, cell)
  }
}

function writeList(group: Group, field: FieldPlan, cells: readonly unknown[]): void {
  if (cells.length === 0) return writer.bytes(json.emptyList)
  let separator: Buffer = json.beginList
  for (const cell of cells) {
    writer.bytes(separator)
    separator = json.comma
    if (cell === null) writer.bytes(json.null)
    else writeItem(group, field, cell)
  }
  writer.bytes(json.endList)
}

function writeItem(group: Group, field: FieldPlan, cell: unknown): void {
  if (field.leaf) return writer.value(cell)
  if (cell instanceof ObjectRef) return writeObject(cell.group, cell.index)
  const child = group.children[field.index]?.[0]
  if (child) writeObject(child, cell as number) // a cell of an object is a place or an index
}
