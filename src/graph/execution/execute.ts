import {
  defaultFieldResolver,
  defaultTypeResolver,
  getArgumentValues,
  GraphQLError,
  isObjectType,
  locatedError,
} from 'graphql'
import type {
  ExecutionResult,
  GraphQLAbstractType,
  GraphQLObjectType,
  GraphQLResolveInfo,
  GraphQLSchema,
} from 'graphql'
import type { Context } from '../builder.ts'
import type { Handle } from '../handle.ts'
import { pending } from '../relation.ts'
import type { Relation } from '../relation.ts'
import type { ShownColumn } from '../traits.ts'
import type { FieldPlan } from './compile.ts'
import type { CompiledQuery, Variables, Variant } from './document.ts'
import { addObject, childGroup, pathOf, rootGroup } from './group.ts'
import type { Answer, Group } from './group.ts'

export interface Executed {
  readonly schema: GraphQLSchema
  readonly query: CompiledQuery
  readonly variables: Variables
  readonly context: unknown
  readonly rootValue?: unknown
}

/**
 * Executes a compiled query breadth-first: each field for all objects of a group at once. Answers at once where nothing has to be
 * waited for. Data, errors and their paths are those of GraphQL's own executor.
 */
export function executeQuery(executed: Executed): ExecutionResult | Promise<ExecutionResult> {
  return new Execution(executed).run()
}

/** What a field is resolved with, the same for all its objects. */
interface FieldCall {
  readonly info: GraphQLResolveInfo
  readonly values: Readonly<Record<string, unknown>>
  /** Why the arguments cannot be read; null where they can. */
  readonly fault: unknown
}

/** A value that a field of one object waits for. */
interface Waiting {
  readonly index: number
  /** Its position where it is an item of a list. */
  readonly position: number | null
  readonly value: PromiseLike<unknown>
}

interface Arrived {
  readonly index: number
  readonly position: number | null
  readonly value?: unknown
  readonly error?: unknown
}

/** The groups that a field's values are sorted into, by type. */
type Children = Map<GraphQLObjectType, Group>

class Execution {
  readonly #executed: Executed
  readonly #variant: Variant
  readonly #errors: GraphQLError[] = []
  readonly #calls = new Map<FieldPlan, FieldCall>()
  #data: Answer | null = null
  #waiting = 0
  #finish: ((result: ExecutionResult) => void) | undefined
  #fail: ((error: unknown) => void) | undefined

  constructor(executed: Executed) {
    this.#executed = executed
    this.#variant = executed.query.variant(executed.variables)
  }

  run(): ExecutionResult | Promise<ExecutionResult> {
    const root = rootGroup(this.#variant.root, this.#executed.rootValue)
    this.#data = root.answers[0] ?? null
    this.#group(root)
    if (this.#waiting === 0) return this.#result()
    return new Promise((resolve, reject) => {
      this.#finish = resolve
      this.#fail = reject
    })
  }

  #result(): ExecutionResult {
    const data = this.#data
    return this.#errors.length > 0 ? { errors: this.#errors, data } : { data }
  }

  #group(group: Group): void {
    for (const field of group.plan.fields) this.#field(group, field)
  }

  #field(group: Group, field: FieldPlan): void {
    const { info, values, fault } = this.#call(field)
    if (field.relation && fault === null) return this.#relation(group, field, field.relation)
    const { context } = this.#executed
    const resolve = field.definition.resolve ?? defaultFieldResolver
    const children: Children = new Map()
    const waiting: Waiting[] = []
    group.sources.forEach((source, index) => {
      if (fault !== null) return this.#error(group, index, field, null, fault)
      try {
        const shown = field.column ? this.#shown(field.column, source) : undefined
        const value: unknown = shown === undefined ? resolve(source, values, context, info) : shown
        if (isPromise(value)) waiting.push({ index, position: null, value })
        else this.#value(group, index, field, value, children, waiting)
      } catch (error) {
        this.#error(group, index, field, null, error)
      }
    })
    for (const child of children.values()) this.#group(child)
    if (waiting.length > 0) this.#wait(waiting, this.#arrivals(group, field))
  }

  /** A column's value, converted; undefined where it has not been paid for, and null where the row has none. */
  #shown({ name, convert }: ShownColumn, source: unknown): unknown {
    const { entry } = source as Handle // columns are fields of rows alone
    const { client } = this.#executed.context as Context // see #relation()
    const known = entry.column(name, client.now)
    return known === undefined ? undefined : convert(known)
  }

  /** Resolves a relation for all objects at once: what is at hand now, the rest branch by branch. */
  #relation(group: Group, field: FieldPlan, relation: Relation<unknown, unknown, unknown>): void {
    const { info, values: args } = this.#call(field)
    // The context that the relations of this graph are declared for.
    const context = this.#executed.context as Context
    const { values, branches } = relation.resolveMany(group.sources, args, context, info)
    const children: Children = new Map()
    const waiting: Waiting[] = []
    let missing = 0
    values.forEach((value, index) => {
      if (value === pending) missing += 1
      else if (isPromise(value)) waiting.push({ index, position: null, value })
      else this.#value(group, index, field, value, children, waiting)
    })
    for (const child of children.values()) this.#group(child)
    const arrive = this.#arrivals(group, field)
    if (waiting.length > 0) this.#wait(waiting, arrive)
    if (!branches) return
    this.#waiting += missing
    branches
      .then((several) => several.map(({ indices, values: come }) => this.#branch(indices, come, arrive)))
      .catch((error: unknown) => this.#fail?.(error))
  }

  async #branch(
    indices: readonly number[],
    values: Promise<readonly unknown[]>,
    arrive: (arrived: readonly Arrived[]) => void,
  ): Promise<void> {
    try {
      const come = await values
      arrive(indices.map((index, at) => ({ index, position: null, value: come[at] })))
    } catch (error) {
      this.#fail?.(error)
    }
  }

  /** Goes on with values as they arrive, with all others that arrive in the same turn. */
  #arrivals(group: Group, field: FieldPlan): (arrived: readonly Arrived[]) => void {
    let arrived: Arrived[] = []
    return (those) => {
      const isFirst = arrived.length === 0
      for (const one of those) arrived.push(one)
      if (!isFirst) return
      // Runs when every promise that is settled by now has told so.
      process.nextTick(() => {
        const all = arrived
        arrived = []
        this.#arrive(group, field, all)
      })
    }
  }

  #wait(waiting: readonly Waiting[], arrive: (arrived: readonly Arrived[]) => void): void {
    this.#waiting += waiting.length
    for (const { index, position, value } of waiting)
      value.then(
        (come) => arrive([{ index, position, value: come }]),
        (error: unknown) => arrive([{ index, position, error }]),
      )
  }

  #arrive(group: Group, field: FieldPlan, arrived: readonly Arrived[]): void {
    try {
      const children: Children = new Map()
      const waiting: Waiting[] = []
      for (const one of arrived) {
        const { index, position, value } = one
        if ('error' in one) this.#error(group, index, field, position, one.error)
        else if (position === null && isPromise(value)) waiting.push({ index, position, value })
        else if (position === null) this.#value(group, index, field, value, children, waiting)
        else this.#item(group, index, field, position, value, children)
      }
      for (const child of children.values()) this.#group(child)
      if (waiting.length > 0) this.#wait(waiting, this.#arrivals(group, field))
    } catch (error) {
      this.#fail?.(error)
    }
    this.#waiting -= arrived.length
    if (this.#waiting === 0) this.#finish?.(this.#result())
  }

  /** Completes a field of one object. */
  #value(
    group: Group,
    index: number,
    field: FieldPlan,
    value: unknown,
    children: Children,
    waiting: Waiting[],
  ): void {
    if (!field.shape.isList || value === null || value === undefined || value instanceof Error)
      return this.#item(group, index, field, null, value, children)
    if (!isIterable(value)) {
      const name = `${field.parentType.name}.${field.definition.name}`
      return this.#error(
        group,
        index,
        field,
        null,
        new GraphQLError(`Expected Iterable, but did not find one for field "${name}".`),
      )
    }
    const list: unknown[] = []
    const answer = group.answers[index]
    if (answer) answer[field.responseName] = list
    for (const item of value) {
      const position = list.push(null) - 1
      if (isPromise(item)) waiting.push({ index, position, value: item })
      else this.#item(group, index, field, position, item, children)
    }
  }

  /** Completes one value that is no list: a field's, or an item of its list. */
  #item(
    group: Group,
    index: number,
    field: FieldPlan,
    position: number | null,
    value: unknown,
    children: Children,
  ): void {
    if (value === null || value === undefined) return this.#null(group, index, field, position)
    try {
      if (value instanceof Error) throw value
      if (field.leaf) return this.#put(group, index, field, position, serialized(field, value))
      const type = this.#typeOf(field, value)
      let child = children.get(type)
      if (!child) {
        child = childGroup(this.#variant.compiler.child(field, type), group, field)
        children.set(type, child)
      }
      this.#put(group, index, field, position, addObject(child, value, index, position))
    } catch (error) {
      this.#error(group, index, field, position, error)
    }
  }

  #put(group: Group, index: number, field: FieldPlan, position: number | null, value: unknown): void {
    const answer = group.answers[index]
    if (!answer) return
    if (position === null) {
      answer[field.responseName] = value
      return
    }
    const list = answer[field.responseName]
    if (Array.isArray(list)) list[position] = value
  }

  /** A null that was not an error, unless it stands where none may. */
  #null(group: Group, index: number, field: FieldPlan, position: number | null): void {
    const { isNullable, isItemNullable } = field.shape
    if (position === null ? isNullable : isItemNullable) return this.#put(group, index, field, position, null)
    const name = `${field.parentType.name}.${field.definition.name}`
    this.#error(
      group,
      index,
      field,
      position,
      new Error(`Cannot return null for non-nullable field ${name}.`),
    )
  }

  /** Notes an error, and nulls the nearest position that may be null. */
  #error(group: Group, index: number, field: FieldPlan, position: number | null, error: unknown): void {
    if (!group.dead?.has(index)) {
      const path = [...pathOf(group, index), field.responseName, ...(position === null ? [] : [position])]
      this.#errors.push(locatedError(error, field.nodes, path))
    }
    this.#nullify(group, index, field, position)
  }

  #nullify(group: Group, index: number, field: FieldPlan, position: number | null): void {
    const { isNullable, isItemNullable } = field.shape
    if (position !== null && isItemNullable) return this.#put(group, index, field, position, null)
    if (isNullable) return this.#put(group, index, field, null, null)
    if (group.dead?.has(index)) return
    group.dead ??= new Set()
    group.dead.add(index)
    const { holder } = group
    if (!holder) {
      this.#data = null
      return
    }
    this.#nullify(holder.group, holder.parents[index] ?? 0, holder.field, holder.positions?.[index] ?? null)
  }

  #call(field: FieldPlan): FieldCall {
    let call = this.#calls.get(field)
    if (!call) this.#calls.set(field, (call = this.#makeCall(field)))
    return call
  }

  #makeCall(field: FieldPlan): FieldCall {
    const info = this.#info(field)
    if (field.constantArguments) return { info, values: field.constantArguments, fault: null }
    const [node] = field.nodes
    try {
      const values = node ? getArgumentValues(field.definition, node, this.#executed.variables) : {}
      return { info, values, fault: null }
    } catch (fault) {
      return { info, values: {}, fault }
    }
  }

  #info({ definition, nodes, parentType, responseName }: FieldPlan): GraphQLResolveInfo {
    const { schema, query, variables, rootValue } = this.#executed
    return {
      fieldName: definition.name,
      fieldNodes: nodes,
      returnType: definition.type,
      parentType,
      // One for all objects of the field: their own paths are known where an error needs one.
      path: { prev: undefined, key: responseName, typename: parentType.name },
      schema,
      fragments: query.fragments,
      rootValue,
      operation: query.operation,
      variableValues: variables,
    }
  }

  #typeOf(field: FieldPlan, value: unknown): GraphQLObjectType {
    const { namedType } = field
    if (isObjectType(namedType)) return namedType
    const abstract = namedType as GraphQLAbstractType // a field with a selection is of no other
    const { info } = this.#call(field)
    const resolveType = abstract.resolveType ?? defaultTypeResolver
    const name = resolveType(value, this.#executed.context, info, abstract)
    const type = typeof name === 'string' ? this.#executed.schema.getType(name) : undefined
    if (isObjectType(type) && this.#executed.schema.isSubType(abstract, type)) return type
    throw new GraphQLError(`Abstract type "${abstract.name}" has no object type ${JSON.stringify(name)}.`)
  }
}

function serialized({ leaf, definition }: FieldPlan, value: unknown): unknown {
  const written: unknown = leaf?.serialize(value)
  if (written !== undefined && written !== null) return written
  throw new Error(`Field ${definition.name} cannot be written as ${leaf?.name ?? 'a leaf'}.`)
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value
