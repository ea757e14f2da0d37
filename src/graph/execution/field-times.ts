import type { FieldPlan } from './compile.ts'
import type { Group } from './group.ts'

/** Milliseconds since the start of the process. */
export interface Took {
  readonly from: number
  readonly to: number
}

/** When the fields of one answer were executed: each once for all objects of a group. */
export class FieldTimes {
  /** The group whose one object is the answer; null until it is complete, and if it was refused. */
  root: Group | null = null
  readonly #took = new Map<Group, Took[]>()

  /** Notes that a field is being executed, or that a value of it has come. */
  note(group: Group, field: FieldPlan): void {
    const to = performance.now()
    const fields = this.#took.get(group) ?? []
    fields[field.index] = { from: fields[field.index]?.from ?? to, to }
    this.#took.set(group, fields)
  }

  of(group: Group, field: FieldPlan): Took | undefined {
    return this.#took.get(group)?.[field.index]
  }
}
