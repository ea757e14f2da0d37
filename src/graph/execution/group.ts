import type { GraphQLObjectType } from 'graphql'
import type { Handle } from '../handle.ts'
import type { FieldPlan, ObjectPlan } from './compile.ts'
import { SharedObjects } from './shared-objects.ts'
import type { Parent } from './shared-objects.ts'
import { timeOf } from '../../rows/moment.ts'
import type { Moment } from '../../rows/moment.ts'
import type { Printed } from '../../rows/row-version.ts'
import { printedBefore, storePrinted } from './printed-rows.ts'
import type { RawRow } from '../../specification/raw-row.ts'

/** An object's group and index, for fields with objects of several types. */
export class ObjectRef {
  readonly group: Group
  readonly index: number

  constructor(group: Group, index: number) {
    this.group = group
    this.index = index
  }
}

/** The field that returned the objects of a group. */
interface Holder {
  readonly group: Group
  readonly field: FieldPlan
}

/**
 * Objects of one type that one field returned. They are executed field by field. Results are stored as one
 * list for each field, not as one object for each row.
 */
export class Group {
  readonly plan: ObjectPlan
  /** The field that returned them; null for the root. */
  readonly holder: Holder | null
  readonly sources: unknown[] = []
  /** For each object, the index of its first parent in the parent's group. */
  readonly parents: number[] = []
  /** For each object, its position in that parent's list; empty if the field is not a list. */
  readonly positions: number[] = []
  /** The objects that several parents have; null while there is one parent. */
  #shared: SharedObjects | null = null
  /** For each object, how often it is printed; null if once each. */
  #times: number[] | null = null
  /**
   * Results by field and object: a leaf's JSON value; for an object its index in the field's only group, or a
   * `Place`; or a list of these.
   */
  readonly cells: unknown[][]
  /** The groups below each field. */
  readonly children: Group[][]
  /** For rows: their latest fresh columns; undefined if there are none. */
  readonly rows: (RawRow | undefined)[] = []
  /** For rows: the JSON of their leading columns, without a text if that should be stored. */
  readonly printed: (Printed | undefined)[] = []
  /** For rows: the time at which they were read. */
  #readAt = 0
  /** The number of executed objects. */
  executed = 0
  /** The indices of objects that a null in a non-null position has removed. */
  removed: Set<number> | null = null

  constructor(plan: ObjectPlan, holder: Holder | null) {
    this.plan = plan
    this.holder = holder
    this.cells = plan.fields.map(() => [])
    this.children = plan.fields.map(() => [])
  }

  /** Adds an object, unless another parent has an equal one. Returns its index. */
  add(source: unknown, parent: number, position: number | null): number {
    const times = this.holder?.group.timesOf(parent) ?? 1
    if (parent > 0 || this.#shared) {
      this.#shared ??= new SharedObjects(this.sources, this.plan.isIntrospection)
      const index = this.#shared.find(source, this.sources.length)
      if (index !== undefined) {
        this.#shared.addParent(index, parent, position)
        // What is below an executed object was counted without this parent.
        if (index >= this.executed) this.#addTimes(index, times)
        return index
      }
    }
    if (times > 1 || this.#times) this.#addTimes(this.sources.length, times)
    this.parents.push(parent)
    if (position !== null) this.positions.push(position)
    return this.sources.push(source) - 1
  }

  /** The parents of an object, the first one first. */
  parentsOf(index: number): readonly Parent[] {
    const first: Parent = [this.parents[index] ?? 0, this.positions[index] ?? null]
    return this.#shared ? [first, ...this.#shared.parentsOf(index)] : [first]
  }

  /** How often an object is printed, by the parents that were known when it was executed. */
  timesOf(index: number): number {
    return this.#times?.[index] ?? 1
  }

  /**
   * How many more values are printed than were counted, because parents came after their object was executed. The
   * groups above have to be counted again before.
   */
  recount(): number {
    const { holder, plan, cells } = this
    if (!holder) return 0
    const lists = plan.fields.filter(({ shape }) => shape.isList).flatMap(({ index }) => [cells[index] ?? []])
    let more = 0
    for (let index = 0; index < this.executed; index += 1) {
      let times = 0
      for (const [parent] of this.parentsOf(index)) times += holder.group.timesOf(parent)
      const added = times - this.timesOf(index)
      if (added <= 0) continue
      this.#addTimes(index, added)
      more += added * Math.max(1, plan.fields.length)
      for (const list of lists) {
        const items = list[index]
        if (Array.isArray(items)) more += added * items.length
      }
    }
    return more
  }

  /** How often the objects from an index on are printed, all together. */
  timesFrom(from: number): number {
    let sum = 0
    for (let index = from; index < this.sources.length; index += 1) sum += this.timesOf(index)
    return sum
  }

  #addTimes(index: number, times: number): void {
    const all = (this.#times ??= this.sources.map(() => 1))
    all[index] = (all[index] ?? 0) + times
  }

  /** Looks up the rows of its objects once for all their columns. */
  readRows(from: number, now: Moment): void {
    const readAt = (this.#readAt = timeOf(now))
    const prints = this.plan.leading > 0
    for (let index = from; index < this.sources.length; index += 1) {
      const { entry } = this.sources[index] as Handle // a type with columns is of rows alone
      const row = entry.freshRow(now)
      this.rows[index] = row
      if (row && prints) this.printed[index] = printedBefore(this.plan, entry, readAt)
    }
  }

  /** Whether the JSON of an object's leading columns is known. */
  isPrinted(index: number): boolean {
    const printed = this.printed[index]
    return printed !== undefined && printed.text !== null
  }

  /** Whether the JSON of the leading columns is known of all objects from an index on. */
  arePrinted(from: number): boolean {
    for (let index = from; index < this.sources.length; index += 1) if (!this.isPrinted(index)) return false
    return true
  }

  /** Stores the JSON of a row's leading columns. */
  storePrinted(index: number, printed: Printed, text: string): void {
    const row = this.rows[index]
    const { entry } = this.sources[index] as Handle // only rows are asked for
    if (row) storePrinted(this.plan, { entry, row, now: this.#readAt }, printed, text)
  }

  /** The group of a field's objects of one type; undefined if there is none yet. */
  childOf({ index }: FieldPlan, type: GraphQLObjectType): Group | undefined {
    return this.children[index]?.find(({ plan }) => plan.type === type)
  }

  addChild(plan: ObjectPlan, field: FieldPlan): Group {
    const child = new Group(plan, { group: this, field })
    this.children[field.index]?.push(child)
    return child
  }

  /** Sets a field of an object, or one item of its list. */
  put(index: number, field: FieldPlan, position: number | null, value: unknown): void {
    const cells = this.cells[field.index]
    if (!cells) return
    if (position === null) {
      cells[index] = value
      return
    }
    const list = cells[index]
    if (Array.isArray(list)) list[position] = value
  }
}

/** Values that were not counted, in the groups of an answer. */
export function recounted(group: Group): number {
  let more = group.recount()
  for (const children of group.children) for (const child of children) more += recounted(child)
  return more
}
