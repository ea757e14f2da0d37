import type { ExecutionResult, GraphQLError } from 'graphql'
import type { FieldPlan } from './compile.ts'
import { Place } from './group.ts'
import type { Group } from './group.ts'
import { json, JsonWriter } from './json.ts'

/** The answer to a query. */
export class Answer {
  readonly errors: readonly GraphQLError[] | undefined
  /** The group whose one object is the answer; null if a non-null error removed it. */
  readonly #root: Group | null

  constructor(root: Group | null, errors: readonly GraphQLError[]) {
    this.#root = root
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

  /** The response as JSON: the data between the given texts. */
  bytes(before = '', after = ''): Buffer {
    writer.begin()
    writer.text(before)
    if (this.#root) writeObject(this.#root, 0)
    else writer.bytes(json.null)
    writer.text(after)
    return writer.end()
  }
}

type Data = Record<string, unknown>

function objectAt(group: Group, index: number): Data {
  const { fields, template } = group.plan
  const object: Data = { ...template }
  for (const field of fields) object[field.responseName] = valueOf(group, field, cellAt(group, field, index))
  return object
}

const cellAt = ({ cells }: Group, field: FieldPlan, index: number): unknown => cells[field.index]?.[index]

function valueOf(group: Group, field: FieldPlan, cell: unknown): unknown {
  if (cell === null) return null
  if (field.shape.isList && Array.isArray(cell)) return cell.map((item) => itemOf(group, field, item))
  return itemOf(group, field, cell)
}

function itemOf(group: Group, field: FieldPlan, cell: unknown): unknown {
  if (cell === null || field.leaf) return cell
  if (cell instanceof Place) return objectAt(cell.group, cell.index)
  const [child] = group.children[field.index] ?? []
  return child ? objectAt(child, cell as number) : null // a cell of an object is a place or an index
}

/** One writer for all answers: an answer is written without pause. */
const writer = new JsonWriter()

function writeObject(group: Group, index: number): void {
  const { cells, plan } = group
  // All fields may have been left out by @skip.
  if (plan.fields.length === 0) return writer.bytes(json.emptyObject)
  for (const field of plan.fields) {
    const cell = cells[field.index]?.[index]
    writer.bytes(field.head)
    if (cell === null) writer.bytes(json.null)
    else if (field.shape.isList && Array.isArray(cell)) writeList(group, field, cell)
    else writeItem(group, field, cell)
  }
  writer.bytes(json.endObject)
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
  if (cell instanceof Place) return writeObject(cell.group, cell.index)
  const child = group.children[field.index]?.[0]
  if (child) writeObject(child, cell as number) // a cell of an object is a place or an index
}
