import type { FieldPlan, ObjectPlan } from './compile.ts'

/** An object of the response while it is filled. */
export type Answer = Record<string, unknown>

/** Objects of one type that one field answered with at the same moment: they are executed field by field, all at once. */
export interface Group {
  readonly plan: ObjectPlan
  readonly sources: unknown[]
  readonly answers: Answer[]
  /** Where the objects stand; null for the root. */
  readonly holder: Holder | null
  /** Objects that a null in a non-null position has taken with it, by index. */
  dead: Set<number> | null
}

/** The field that holds the objects of a group. */
interface Holder {
  readonly group: Group
  readonly field: FieldPlan
  /** For each object, the index of its parent in the holding group. */
  readonly parents: number[]
  /** For each object, its position in the parent's list; null where the field is no list. */
  readonly positions: number[] | null
}

export const rootGroup = (plan: ObjectPlan, source: unknown): Group => ({
  plan,
  sources: [source],
  answers: [emptyAnswer(plan)],
  holder: null,
  dead: null,
})

export const childGroup = (plan: ObjectPlan, group: Group, field: FieldPlan): Group => ({
  plan,
  sources: [],
  answers: [],
  holder: { group, field, parents: [], positions: field.shape.isList ? [] : null },
  dead: null,
})

/** Adds an object to a group. Returns its answer, whose fields are null until they are executed. */
export function addObject(group: Group, source: unknown, parent: number, position: number | null): Answer {
  const answer = emptyAnswer(group.plan)
  group.sources.push(source)
  group.answers.push(answer)
  group.holder?.parents.push(parent)
  if (position !== null) group.holder?.positions?.push(position)
  return answer
}

/** The response path of an object. */
export function pathOf({ holder }: Group, index: number): (string | number)[] {
  if (!holder) return []
  const { group, field, parents, positions } = holder
  const path = pathOf(group, parents[index] ?? 0)
  path.push(field.responseName)
  const position = positions?.[index]
  if (position !== undefined) path.push(position)
  return path
}

/** Every field in the order of the selection, so that fields that arrive late keep their place. */
const emptyAnswer = ({ template }: ObjectPlan): Answer => ({ ...template })
