import type { ExecutionResult, GraphQLError } from 'graphql'
import type { FieldPlan } from './compile.ts'
import { Place } from './group.ts'
import type { Group } from './group.ts'

/** The answer to a query. */
export class Answer {
  readonly errors: readonly GraphQLError[] | undefined
  /** The group of the one object that is the answer; null where a null took it all. */
  readonly #root: Group | null

  constructor(root: Group | null, errors: readonly GraphQLError[]) {
    this.#root = root
    if (errors.length > 0) this.errors = errors
  }

  /** Whether there is no data at all. */
  get isNull(): boolean {
    return this.#root === null
  }

  /** As GraphQL's own executor answers. */
  get result(): ExecutionResult {
    const { errors } = this
    const data = this.#root && objectAt(this.#root, 0)
    return errors ? { errors, data } : { data }
  }

  /** The data as JSON. */
  get text(): string {
    return this.#root ? textAt(this.#root, 0) : 'null'
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
  return child ? objectAt(child, Number(cell)) : null
}

function textAt(group: Group, index: number): string {
  const { cells, plan } = group
  // Every field may have been left out by @skip.
  if (plan.fields.length === 0) return '{}'
  let text = ''
  for (const field of plan.fields) {
    const cell = cells[field.index]?.[index]
    text += field.head
    if (cell === null) text += 'null'
    else if (field.shape.isList && Array.isArray(cell)) text += textOfList(group, field, cell)
    else text += field.leaf ? textOfLeaf(cell) : textOfObject(group, field, cell)
  }
  return `${text}}`
}

function textOfList(group: Group, field: FieldPlan, cells: readonly unknown[]): string {
  let text = '['
  let separator = ''
  for (const cell of cells) {
    text += separator
    separator = ','
    if (cell === null) text += 'null'
    else text += field.leaf ? textOfLeaf(cell) : textOfObject(group, field, cell)
  }
  return `${text}]`
}

function textOfObject(group: Group, field: FieldPlan, cell: unknown): string {
  if (cell instanceof Place) return textAt(cell.group, cell.index)
  const child = group.children[field.index]?.[0]
  return child ? textAt(child, Number(cell)) : 'null'
}

/** Characters that JSON writes as they are. */
const plain = /^[ !#-[\]-~]*$/

function textOfLeaf(value: unknown): string {
  if (typeof value === 'string') return plain.test(value) ? `"${value}"` : JSON.stringify(value)
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return JSON.stringify(value) ?? 'null'
}
