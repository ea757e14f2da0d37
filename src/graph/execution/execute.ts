import { defaultFieldResolver } from 'graphql'
import type { Value } from '../../specification/columns.ts'
import type { ExecutionContext } from './context.ts'
import { cachedColumn, loadColumn } from '../handle.ts'
import type { Handle } from '../handle.ts'
import type { MaybePromise } from '../../loading/maybe-promise.ts'
import { pending } from '../many-answers.ts'
import type { Relation } from '../many-answers.ts'
import type { ShownColumn } from '../traits.ts'
import { endTurn } from '../../loading/turn.ts'
import { Answer, refusedBy } from './answer.ts'
import { Arrivals } from './arrivals.ts'
import type { Arrival, Arrive } from './arrivals.ts'
import { valuesOfAsk, valuesOfPlan, valuesOfPromise } from './budget.ts'
import { Calls } from './calls.ts'
import type { Executed } from './calls.ts'
import type { FieldPlan } from './compile.ts'
import { Completion, isPromise, passOver } from './complete.ts'
import type { Pass } from './complete.ts'
import { giveWay } from './give-way.ts'
import type { LeastValues } from './least.ts'
import { recounted } from './group.ts'
import type { Group } from './group.ts'

/**
 * Executes a compiled operation breadth-first: each field for all objects of a group at once. Synchronous if
 * nothing has to be loaded. Data, errors and paths equal those of GraphQL's own executor. If the execution
 * exceeds its budget, that is the answer's one error, and nothing more is loaded for it.
 */
export function executeQuery(executed: Executed): MaybePromise<Answer> {
  return new Execution(executed).run()
}

/** Objects of a group, whose fields are executed one after the other. */
interface GroupStep {
  readonly group: Group
  /** Null until it begins. */
  fields: readonly FieldPlan[] | null
  /** Its objects: those that were added since the group was last executed. */
  from: number
  to: number
  /** The field and the object that are next. */
  nth: number
  at: number
  /** Of the field that is being executed. */
  pass: Pass | null
  arrive: Arrive | null
}

/** Objects of which a field is executed, or values that are completed, before the clock may be read. */
const [columnsOfPart, fieldsOfPart, listsOfPart] = [1_000, 100, 25]

/** Values in whose time a relation or a field is resolved. */
const valuesOfField = 5

class Execution {
  readonly #context: ExecutionContext
  readonly #calls: Calls
  readonly #completion: Completion
  readonly #least: LeastValues
  /** What is to be executed, the next one last: a group's children come before its next field. */
  readonly #steps: GroupStep[] = []
  readonly #arrivals = new Arrivals(
    () => {
      if (!this.#isRunning) process.nextTick(() => this.#begin())
    },
    (error) => this.#end(error),
  )
  /** Whether steps are being executed, or have given way. */
  #isRunning = false
  #answer: Answer | null = null
  #failure: { readonly error: unknown } | null = null
  #finish: ((answer: Answer) => void) | undefined
  #fail: ((error: unknown) => void) | undefined

  constructor(executed: Executed) {
    this.#context = executed.context as ExecutionContext // that of every query of this graph
    const { budget } = this.#context
    this.#calls = new Calls(executed, budget)
    const variant = executed.query.variant(executed.variables)
    this.#least = variant.least
    this.#completion = new Completion(executed, variant, this.#calls, budget.mostErrors)
  }

  run(): MaybePromise<Answer> {
    try {
      this.#context.budget.checkValues(this.#least.of((field) => this.#calls.of(field).values))
      if (this.#completion.root) this.#steps.push(stepOver(this.#completion.root))
      this.#begin()
    } catch (error) {
      this.#end(error)
    }
    if (this.#failure) throw this.#failure.error
    if (this.#answer) return this.#answer
    return new Promise((resolve, reject) => {
      this.#finish = resolve
      this.#fail = reject
    })
  }

  /** Executes what there is to do. The request's turn goes on until it is done. */
  #begin(): void {
    this.#isRunning = true
    this.#context.clientRequest.executing += 1
    this.#go(true)
  }

  /** Executes steps until none is left or the slice is over. */
  #go(isFirst: boolean): void {
    const { budget, clientRequest } = this.#context
    try {
      budget.beginSlice(isFirst)
      for (let done = this.#next(); done > 0; done = this.#next())
        if (budget.isSliceOver(done)) return giveWay(() => this.#go(false))
      budget.endSlice()
      if (this.#arrivals.awaited === 0 && !this.#isOver) this.#settle(this.#made())
    } catch (error) {
      this.#end(error)
    }
    this.#isRunning = false
    clientRequest.executing -= 1
    endTurn()
  }

  /** Does a part of the next step. Returns the values in whose time it is done; 0 if there was none. */
  #next(): number {
    const { budget } = this.#context
    const before = budget.values
    const step = this.#steps.at(-1)
    const arrival = this.#arrivals.next
    if (step) return this.#executePart(step) + budget.values - before
    return arrival ? this.#completePart(arrival) + budget.values - before : 0
  }

  get #isOver(): boolean {
    return this.#answer !== null || this.#failure !== null
  }

  /** Its paths and values can be counted exactly only now: until then, objects may get further parents. */
  #made(): Answer {
    const { root, failures } = this.#completion
    const { budget, times } = this.#context
    if (root && this.#completion.isLate) budget.countValues(recounted(root))
    if (times) times.root = root
    return new Answer(root, failures.errors, budget)
  }

  #settle(answer: Answer): void {
    this.#answer = answer
    this.#finish?.(answer)
  }

  /** Ends the execution by an error. If the budget was exceeded, that is the answer. */
  #end(error: unknown): void {
    this.#steps.length = 0
    this.#arrivals.end()
    if (this.#isOver) return
    try {
      this.#settle(refusedBy(error))
      this.#context.clientRequest.allowance.end()
    } catch (failure) {
      this.#failure = { error: failure }
      this.#fail?.(failure)
    }
  }

  /** Executes a field for some objects of a group. */
  #executePart(step: GroupStep): number {
    const fields = step.fields ?? this.#fieldsOf(step)
    const field = fields[step.nth]
    if (!field) {
      this.#steps.pop()
      return 1
    }
    const from = step.at
    const isColumn = field.column !== null
    this.#context.times?.note(step.group, field)
    step.at = Math.min(
      step.to,
      from + (isColumn ? columnsOfPart : field.shape.isList ? listsOfPart : fieldsOfPart),
    )
    if (field.column) this.#column(step, field, field.column, from)
    else this.#resolve(step, field, from)
    const done = step.at - from
    if (step.at === step.to) this.#endField(step)
    return 1 + done * (isColumn ? 1 : valuesOfField)
  }

  /** The fields to execute of the objects that were added to a group since its last execution. */
  #fieldsOf(step: GroupStep): readonly FieldPlan[] {
    const { group } = step
    const from = group.executed
    group.executed = group.sources.length
    const { fields, hasColumns, leading } = group.plan
    const { budget } = this.#context
    if (from === 0) budget.countValues(fields.length * valuesOfPlan)
    budget.countValues(group.timesFrom(from) * Math.max(1, fields.length))
    if (hasColumns) group.readRows(from, this.#context.clientRequest.now)
    step.from = step.at = from
    step.to = group.executed
    return (step.fields = leading > 0 && group.arePrinted(from) ? fields.slice(leading) : fields)
  }

  #endField(step: GroupStep): void {
    const { pass, group, fields, nth } = step
    const field = fields?.[nth]
    if (field) this.#context.times?.note(group, field)
    step.nth += 1
    step.at = step.from
    step.pass = null
    step.arrive = null
    if (pass) this.#executeChildren(pass)
  }

  /** Executes the objects that a field returned. */
  #executeChildren({ children }: Pass): void {
    for (const child of children.toReversed()) this.#steps.push(stepOver(child))
  }

  /** Answers a column of each row. Missing ones are loaded together. */
  #column(step: GroupStep, field: FieldPlan, { name, convert }: ShownColumn, from: number): void {
    const { group, at: to } = step
    const { rows, sources, plan } = group
    const isLeading = field.index < plan.leading
    const { clientRequest: request } = this.#context
    const missing: number[] = []
    for (let index = from; index < to; index += 1) {
      if (isLeading && group.isPrinted(index)) continue
      let known = rows[index]?.[name] as Value | undefined // judged by the conversion
      if (known === undefined) known = cachedColumn(sources[index] as Handle, name, request) // columns are fields of rows alone
      const value = known === undefined ? undefined : convert(known)
      if (value === null) this.#completion.null(group, index, field, null)
      else group.put(index, field, null, value ?? null)
      if (known === undefined) missing.push(index)
    }
    if (missing.length > 0) this.#loadColumn(step, field, { name, convert }, missing)
  }

  #loadColumn(step: GroupStep, field: FieldPlan, { name, convert }: ShownColumn, missing: readonly number[]) {
    const { group } = step
    const rows = missing.map((index) => group.sources[index] as Handle) // see #column()
    const fieldName = `${field.parentType.name}.${field.definition.name}`
    const show = (value: unknown): unknown => {
      if (isPromise(value)) return value.then(show)
      return value instanceof Error ? value : convert(value as Value) // it was loaded as one
    }
    const arrive = (step.arrive ??= this.#arrivals.of(group, field))
    this.#arrivals.awaited += missing.length
    this.#arrivals.follow(loadColumn(rows, name, this.#context, fieldName), (nth, value) =>
      arrive([{ index: missing[nth] ?? 0, position: null, value: show(value) }]),
    )
  }

  /** Resolves a field that is no column. */
  #resolve(step: GroupStep, field: FieldPlan, from: number): void {
    const { group } = step
    const { info, values, fault } = this.#calls.of(field)
    if (field.relation && fault === null) return this.#relation(step, field, field.relation, from)
    const resolve = field.definition.resolve ?? defaultFieldResolver
    this.#complete(step, field, from, (index) => {
      if (fault !== null) throw fault
      return resolve(group.sources[index], values, this.#context, info)
    })
  }

  /** Resolves a relation: known values now, the others branch by branch. */
  #relation(step: GroupStep, field: FieldPlan, relation: Relation<unknown, unknown, unknown>, from: number) {
    const { group, at: to } = step
    const { sources } = group
    const { info, values: args } = this.#calls.of(field)
    const parents = to - from === sources.length ? sources : sources.slice(from, to)
    const { values, branches } = relation.resolveMany(parents, args, this.#context, info)
    const arrive = (step.arrive ??= this.#arrivals.of(group, field))
    if (branches)
      this.#arrivals.follow(branches, (nth, value) => arrive([{ index: from + nth, position: null, value }]))
    this.#complete(step, field, from, (index) => values[index - from])
  }

  /** Completes a field. All promises have to be waited for before the budget may end the execution. */
  #complete(step: GroupStep, field: FieldPlan, from: number, valueOf: (index: number) => unknown): void {
    const { group, at: to } = step
    const pass = (step.pass ??= passOver(group, field))
    let asked = 0
    for (let index = from; index < to; index += 1)
      try {
        const value = valueOf(index)
        if (value !== pending) this.#completion.value(pass, index, value)
        else {
          group.put(index, field, null, null)
          asked += 1
        }
      } catch (error) {
        this.#completion.error(group, index, field, null, error)
      }
    this.#arrivals.awaited += asked
    this.#count(pass, asked)
  }

  /** Waits for a field's pending values, and counts what was completed. */
  #count(pass: Pass, asked: number): void {
    const { waiting, items } = pass
    const values = items + asked * valuesOfAsk + waiting.length * valuesOfPromise
    if (waiting.length > 0) this.#arrivals.wait(pass)
    pass.items = 0
    this.#context.budget.countValues(values)
  }

  /** Completes some of the values that have arrived. */
  #completePart(arrival: Arrival): number {
    const { pass } = arrival
    const { group, field } = pass
    const part = this.#arrivals.take(arrival, fieldsOfPart)
    for (const one of part) {
      const { index, position, value } = one
      if ('error' in one) this.#completion.error(group, index, field, position, one.error)
      else if (position === null) this.#completion.value(pass, index, value)
      else this.#completion.item(pass, index, position, value)
    }
    this.#count(pass, 0)
    this.#context.times?.note(group, field)
    if (this.#arrivals.next !== arrival) this.#executeChildren(pass)
    return 1 + part.length
  }
}

const stepOver = (group: Group): GroupStep => ({
  group,
  fields: null,
  from: 0,
  to: 0,
  nth: 0,
  at: 0,
  pass: null,
  arrive: null,
})
