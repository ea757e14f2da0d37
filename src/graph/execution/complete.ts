import { defaultTypeResolver, GraphQLError, isObjectType } from 'graphql'
import type { GraphQLAbstractType, GraphQLObjectType } from 'graphql'
import type { Calls, Executed } from './calls.ts'
import type { FieldPlan } from './compile.ts'
import type { Variant } from './document.ts'
import { Failures } from './failures.ts'
import { Group, ObjectRef } from './group.ts'

/** A pending value of a field of one object. */
export interface Waiting {
  readonly index: number
  /** Its position, if it is an item of a list. */
  readonly position: number | null
  readonly value: PromiseLike<unknown>
}

/** The results of completing one field of a group's objects. */
export interface Pass {
  readonly group: Group
  readonly field: FieldPlan
  /** Groups with new objects. */
  readonly children: Group[]
  readonly waiting: Waiting[]
  /** Items of lists that were completed, each as often as it is printed. */
  items: number
}

export const passOver = (group: Group, field: FieldPlan): Pass => ({
  group,
  field,
  children: [],
  waiting: [],
  items: 0,
})

/** Completes values as the GraphQL specification describes: lists, types, leaves, nulls and errors. */
export class Completion {
  readonly failures: Failures
  readonly #executed: Executed
  readonly #variant: Variant
  readonly #calls: Calls
  /** The group whose one object is the answer; null if a non-null error removed it. */
  root: Group | null
  /** Whether parents came after their object was executed. */
  isLate = false

  constructor(executed: Executed, variant: Variant, calls: Calls, mostErrors: number) {
    this.#executed = executed
    this.#variant = variant
    this.#calls = calls
    this.failures = new Failures(mostErrors)
    this.root = new Group(variant.root, null)
    this.root.add(executed.rootValue, 0, null)
  }

  /** Completes a field of one object. */
  value(pass: Pass, index: number, value: unknown): void {
    const { group, field, waiting } = pass
    if (isPromise(value)) {
      group.put(index, field, null, null)
      waiting.push({ index, position: null, value })
    } else if (!field.shape.isList || value === null || value === undefined || value instanceof Error)
      this.item(pass, index, null, value)
    else this.#list(pass, index, value)
  }

  #list(pass: Pass, index: number, value: unknown): void {
    const { group, field, waiting } = pass
    if (!isIterable(value)) {
      const name = `${field.parentType.name}.${field.definition.name}`
      const message = `Expected Iterable, but did not find one for field "${name}".`
      return this.error(group, index, field, null, new GraphQLError(message))
    }
    const list: unknown[] = []
    group.put(index, field, null, list)
    for (const item of value) {
      const position = list.push(null) - 1
      if (isPromise(item)) waiting.push({ index, position, value: item })
      else this.item(pass, index, position, item)
    }
    pass.items += list.length * group.timesOf(index)
  }

  /** Completes one value: of a field that is not a list, or an item of a list. */
  item(pass: Pass, index: number, position: number | null, value: unknown): void {
    const { group, field } = pass
    if (value === null || value === undefined) return this.null(group, index, field, position)
    try {
      if (value instanceof Error) throw value
      if (!field.leaf) return this.#object(pass, index, position, value)
      group.put(index, field, position, serialized(field, value))
    } catch (error) {
      this.error(group, index, field, position, error)
    }
  }

  /** Adds an object to the group of its type. */
  #object({ group, field, children }: Pass, parent: number, position: number | null, value: unknown) {
    const type = this.#typeOf(field, value)
    const child =
      group.childOf(field, type) ?? group.addChild(this.#variant.compiler.child(field, type), field)
    if (child.executed === child.sources.length) children.push(child)
    const index = child.add(value, parent, position)
    if (index < child.executed) this.isLate = true
    group.put(parent, field, position, isObjectType(field.namedType) ? index : new ObjectRef(child, index))
    // Another parent has it too, and could not have it as it failed.
    if (child.removed?.has(index)) this.#nullify(group, parent, field, position)
  }

  /** Sets a null. In a non-null position this is an error. */
  null(group: Group, index: number, field: FieldPlan, position: number | null): void {
    const { isNullable, isItemNullable } = field.shape
    if (position === null ? isNullable : isItemNullable) return group.put(index, field, position, null)
    const name = `${field.parentType.name}.${field.definition.name}`
    this.error(group, index, field, position, `Cannot return null for non-nullable field ${name}.`)
  }

  /** Records an error, or the message of one, and sets the nearest nullable position to null. */
  error(group: Group, index: number, field: FieldPlan, position: number | null, error: unknown): void {
    if (!group.removed?.has(index)) this.failures.add({ group, index, field, position, error })
    this.#nullify(group, index, field, position)
  }

  #nullify(group: Group, index: number, field: FieldPlan, position: number | null): void {
    const { isNullable, isItemNullable } = field.shape
    if (position !== null && isItemNullable) return group.put(index, field, position, null)
    group.put(index, field, null, null)
    if (isNullable || group.removed?.has(index)) return
    group.removed ??= new Set()
    group.removed.add(index)
    const { holder } = group
    if (!holder) {
      this.root = null
      return
    }
    for (const [parent, place] of group.parentsOf(index))
      this.#nullify(holder.group, parent, holder.field, place)
  }

  #typeOf(field: FieldPlan, value: unknown): GraphQLObjectType {
    const { namedType } = field
    if (isObjectType(namedType)) return namedType
    const { schema, context } = this.#executed
    const abstract = namedType as GraphQLAbstractType // a field with a selection is of no other
    const resolveType = abstract.resolveType ?? defaultTypeResolver
    const name = resolveType(value, context, this.#calls.of(field).info, abstract)
    const type = typeof name === 'string' ? schema.getType(name) : undefined
    if (isObjectType(type) && schema.isSubType(abstract, type)) return type
    throw new GraphQLError(`Abstract type "${abstract.name}" has no object type ${JSON.stringify(name)}.`)
  }
}

function serialized({ leaf, definition }: FieldPlan, value: unknown): unknown {
  const written: unknown = leaf?.serialize(value)
  if (written !== undefined && written !== null) return written
  throw new Error(`Field ${definition.name} cannot be written as ${leaf?.name ?? 'a leaf'}.`)
}

export const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value
