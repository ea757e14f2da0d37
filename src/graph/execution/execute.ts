import { defaultFieldResolver } from 'graphql'
import type { Value } from '../../specification/columns.ts'
import type { ExecutionContext } from './context.ts'
import { columnAtHand, loadColumn } from '../handle.ts'
import type { Handle } from '../handle.ts'
import type { ObjectBranch } from '../ask.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { pending } from '../many-answers.ts'
import type { Relation } from '../many-answers.ts'
import type { ShownColumn } from '../traits.ts'
import { Answer, refusedBy } from './answer.ts'
import { Calls } from './calls.ts'
import type { Executed } from './calls.ts'
import type { FieldPlan } from './compile.ts'
import { Completion, isPromise } from './complete.ts'
import type { Pass, Waiting } from './complete.ts'
import type { Group } from './group.ts'

/**
 * Executes a compiled operation breadth-first: each field for all objects of a group at once. Synchronous if
 * nothing has to be loaded. Data, errors and paths equal those of GraphQL's own executor. If the execution
 * exceeds its budget, that is the answer's one error, and nothing more is loaded for it.
 */
export function executeQuery(executed: Executed): MaybePromise<Answer> {
  return new Execution(executed).run()
}

/** Values that take as much memory as what is waited for, and as a field of a plan with its lists. */
const [valuesOfPromise, valuesOfPlan] = [10, 10]

interface Arrived {
  readonly index: number
  readonly position: number | null
  readonly value?: unknown
  readonly error?: unknown
}

type Arrive = (arrived: readonly Arrived[]) => void

class Execution {
  readonly #context: ExecutionContext
  readonly #calls: Calls
  readonly #completion: Completion
  #waiting = 0
  /** Whether the budget was exceeded. */
  #isOver = false
  #finish: ((answer: Answer) => void) | undefined
  #fail: ((error: unknown) => void) | undefined

  constructor(executed: Executed) {
    this.#context = executed.context as ExecutionContext // that of every query of this graph
    const { budget } = this.#context
    this.#calls = new Calls(executed, budget)
    const variant = executed.query.variant(executed.variables)
    this.#completion = new Completion(executed, variant, this.#calls, budget.mostErrors)
  }

  run(): MaybePromise<Answer> {
    try {
      if (this.#completion.root) this.#execute(this.#completion.root)
    } catch (error) {
      return this.#refused(error)
    }
    if (this.#waiting === 0) return this.#answer()
    return new Promise((resolve, reject) => {
      this.#finish = resolve
      this.#fail = reject
    })
  }

  #answer(): Answer {
    const { root, failures } = this.#completion
    return new Answer(root, failures.errors, this.#context.budget)
  }

  /** The answer if the budget was exceeded. Throws any other error. */
  #refused(error: unknown): Answer {
    const answer = refusedBy(error)
    this.#isOver = true
    this.#context.clientRequest.allowance.end()
    return answer
  }

  /** Executes the objects that were added to a group since its last execution. */
  #execute(group: Group): void {
    const from = group.executed
    group.executed = group.sources.length
    const { fields, hasColumns, leading } = group.plan
    const { budget } = this.#context
    if (from === 0) budget.countValues(fields.length * valuesOfPlan)
    budget.countValues(group.timesFrom(from) * Math.max(1, fields.length))
    if (hasColumns) group.readRows(from, this.#context.clientRequest.now)
    const others = leading > 0 && group.arePrinted(from) ? fields.slice(leading) : fields
    for (const field of others) {
      if (field.column) this.#column(group, field, field.column, from)
      else if (field.relation) this.#relation(group, field, field.relation, from)
      else this.#field(group, field, from)
    }
  }

  /** Answers a column of each row. Missing ones are loaded together. */
  #column(group: Group, field: FieldPlan, { name, convert }: ShownColumn, from: number): void {
    const { rows, sources, plan } = group
    const isLeading = field.index < plan.leading
    const { clientRequest: request } = this.#context
    const missing: number[] = []
    for (let index = from; index < sources.length; index += 1) {
      if (isLeading && group.isPrinted(index)) continue
      let known = rows[index]?.[name] as Value | undefined // judged by the conversion
      if (known === undefined) known = columnAtHand(sources[index] as Handle, name, request) // columns are fields of rows alone
      const value = known === undefined ? undefined : convert(known)
      if (value === null) this.#completion.null(group, index, field, null)
      else group.put(index, field, null, value ?? null)
      if (known === undefined) missing.push(index)
    }
    if (missing.length > 0) this.#loadColumn(group, field, { name, convert }, missing)
  }

  #loadColumn(group: Group, field: FieldPlan, { name, convert }: ShownColumn, missing: readonly number[]) {
    const rows = missing.map((index) => group.sources[index] as Handle) // see #column()
    const fieldName = `${field.parentType.name}.${field.definition.name}`
    const show = (value: unknown): unknown => {
      if (isPromise(value)) return value.then(show)
      return value instanceof Error ? value : convert(value as Value) // it was loaded as one
    }
    const arrive = this.#arrivals(group, field)
    this.#waiting += missing.length
    this.#branches(loadColumn(rows, name, this.#context, fieldName), (nth, value) =>
      arrive([{ index: missing[nth] ?? 0, position: null, value: show(value) }]),
    )
  }

  /** Resolves a relation for all objects: known values now, the others branch by branch. */
  #relation(
    group: Group,
    field: FieldPlan,
    relation: Relation<unknown, unknown, unknown>,
    from: number,
  ): void {
    const { info, values: args, fault } = this.#calls.of(field)
    if (fault !== null) return this.#field(group, field, from)
    const parents = from === 0 ? group.sources : group.sources.slice(from)
    const { values, branches } = relation.resolveMany(parents, args, this.#context, info)
    const pass = passOver(group, field)
    values.forEach((value, nth) => {
      if (value !== pending) return this.#completion.value(pass, from + nth, value)
      group.put(from + nth, field, null, null)
      this.#waiting += 1
    })
    const arrive = this.#arrivals(group, field)
    if (branches)
      this.#branches(branches, (nth, value) => arrive([{ index: from + nth, position: null, value }]))
    const asked = values.filter((value) => value === pending).length
    this.#context.budget.countValues(asked * valuesOfPromise)
    this.#end(pass)
  }

  /** Calls a field's resolver for each object. */
  #field(group: Group, field: FieldPlan, from: number): void {
    const { info, values, fault } = this.#calls.of(field)
    const resolve = field.definition.resolve ?? defaultFieldResolver
    const pass = passOver(group, field)
    const { sources } = group
    for (let index = from; index < sources.length; index += 1)
      try {
        if (fault !== null) throw fault
        this.#completion.value(pass, index, resolve(sources[index], values, this.#context, info))
      } catch (error) {
        this.#completion.error(group, index, field, null, error)
      }
    this.#end(pass)
  }

  /**
   * Waits for a field's pending values, and executes the objects that it returned. All promises have to be
   * waited for before the budget may end the execution.
   */
  #end({ group, field, children, waiting, items }: Pass): void {
    if (waiting.length > 0) this.#wait(waiting, this.#arrivals(group, field))
    this.#context.budget.countValues(items + waiting.length * valuesOfPromise)
    for (const child of children) this.#execute(child)
  }

  #wait(waiting: readonly Waiting[], arrive: Arrive): void {
    this.#waiting += waiting.length
    for (const { index, position, value } of waiting)
      value.then(
        (come) => arrive([{ index, position, value: come }]),
        (error: unknown) => arrive([{ index, position, error }]),
      )
  }

  /** Processes the values of each branch when it arrives. `nth` is an index into the parents asked for. */
  #branches(
    branches: Promise<readonly ObjectBranch<unknown>[]>,
    come: (nth: number, value: unknown) => void,
  ) {
    const wait = async ({ indices, values }: ObjectBranch<unknown>): Promise<void> => {
      try {
        const those = await values
        indices.forEach((nth, at) => come(nth, those[at]))
      } catch (error) {
        this.#fail?.(error)
      }
    }
    branches.then((several) => several.map(wait)).catch((error: unknown) => this.#fail?.(error))
  }

  /** Collects the values that arrive in one turn and processes them together. */
  #arrivals(group: Group, field: FieldPlan): Arrive {
    let arrived: Arrived[] = []
    return (those) => {
      const isFirst = arrived.length === 0
      for (const one of those) arrived.push(one)
      if (!isFirst) return
      // Runs after all promises that have settled by now.
      process.nextTick(() => {
        const all = arrived
        arrived = []
        this.#arrive(group, field, all)
      })
    }
  }

  #arrive(group: Group, field: FieldPlan, arrived: readonly Arrived[]): void {
    if (this.#isOver) return
    try {
      const pass = passOver(group, field)
      for (const one of arrived) {
        const { index, position, value } = one
        if ('error' in one) this.#completion.error(group, index, field, position, one.error)
        else if (position === null) this.#completion.value(pass, index, value)
        else this.#completion.item(pass, index, position, value)
      }
      this.#end(pass)
    } catch (error) {
      try {
        this.#finish?.(this.#refused(error))
      } catch (failure) {
        this.#fail?.(failure)
      }
      return
    }
    this.#waiting -= arrived.length
    if (this.#waiting === 0) this.#finish?.(this.#answer())
  }
}

const passOver = (group: Group, field: FieldPlan): Pass => ({
  group,
  field,
  children: [],
  waiting: [],
  items: 0,
})
