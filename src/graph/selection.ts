import {
  doTypesOverlap,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isCompositeType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import type {
  FieldNode,
  GraphQLField,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLResolveInfo,
  SelectionNode,
  SelectionSetNode,
} from 'graphql'
import { nothing } from '../plan/selection.ts'
import type { Selection } from '../plan/selection.ts'
import { countFields, KeptPlans } from './kept-plans.ts'
import { traitsOf } from './traits.ts'

interface Mutable {
  columns: Set<string>
  relations: Set<string>
  links: Map<string, Mutable>
  /** The fragments visited so far. */
  spread: Set<string>
}

const empty = (): Mutable => ({
  columns: new Set(),
  relations: new Set(),
  links: new Map(),
  spread: new Set(),
})

/**
 * What the query selects on the rows of a field, after fragments, aliases, variables, `@skip` and `@include`.
 * If the field returns several types, what it selects on one of them.
 */
export function selectionOf(
  info: GraphQLResolveInfo,
  type: GraphQLNamedType = getNamedType(info.returnType),
): Selection {
  const { fieldNodes } = info
  const [first] = fieldNodes
  if (!first) return nothing
  const known = knownFor(info, type)
  // Executors have one list for each field that is merged from several nodes.
  const field = fieldNodes.length > 1 ? fieldNodes : first
  let selection = known.get(field)
  if (!selection) {
    known.set(field, (selection = collectAll(info, type)))
    if (lasting.has(info.variableValues)) countFields(sizeOf(selection))
  }
  return selection
}

const sizeOf = ({ links }: Selection): number =>
  [...links.values()].reduce((size, link) => size + sizeOf(link), 1)

type SelectionsByField = Map<FieldNode | readonly FieldNode[], Selection>

// Keyed by field nodes, which live as long as the document, and by variables, which live as long as the request,
// or as the plan that several requests share.
const selections = new WeakMap<object, Map<GraphQLNamedType, SelectionsByField>>()
const lasting = new WeakSet<object>()

/** Counts the selections of variables that outlive a request. */
export const shareSelections = (variableValues: object): void => void lasting.add(variableValues)

function knownFor({ variableValues }: GraphQLResolveInfo, type: GraphQLNamedType): SelectionsByField {
  let byType = selections.get(variableValues)
  if (!byType) selections.set(variableValues, (byType = new Map()))
  let known = byType.get(type)
  if (!known) byType.set(type, (known = new Map()))
  return known
}

/** Selections of subscriptions, by field and variables. */
const shared = new KeptPlans<FieldNode, Map<string, Selection>>()

/** Maximum sets of variables, and maximum characters of each. */
const [mostShared, longestShared] = [1_000, 1_000]

/** As `selectionOf`, but one object for all requests with the same document and the same short variables. */
export function sharedSelection(info: GraphQLResolveInfo): Selection {
  const [node] = info.fieldNodes
  if (!node || info.fieldNodes.length > 1) return selectionOf(info)
  const variables = JSON.stringify(info.variableValues)
  if (variables.length > longestShared) return selectionOf(info)
  const byVariables = shared.of(node, () => new Map())
  let selection = byVariables.get(variables)
  if (selection) return selection
  if (byVariables.size >= mostShared) byVariables.clear()
  byVariables.set(variables, (selection = selectionOf(info)))
  countFields(1 + sizeOf(selection))
  return selection
}

function collectAll(info: GraphQLResolveInfo, type: GraphQLNamedType): Selection {
  const selection = empty()
  for (const { selectionSet } of info.fieldNodes)
    if (selectionSet) collect(selection, selectionSet, type, info)
  return selection
}

function collect(
  selection: Mutable,
  { selections }: SelectionSetNode,
  type: GraphQLNamedType,
  info: GraphQLResolveInfo,
) {
  for (const node of selections) {
    if (!isIncluded(node, info)) continue
    if (node.kind === 'Field') collectField(selection, node, type, info)
    else if (node.kind === 'InlineFragment') {
      const part = narrowed(type, node.typeCondition?.name.value, info)
      if (part) collect(selection, node.selectionSet, part, info)
    } else {
      const fragment = info.fragments[node.name.value]
      const part = fragment && narrowed(type, fragment.typeCondition.name.value, info)
      if (!part || selection.spread.has(node.name.value)) continue
      selection.spread.add(node.name.value)
      collect(selection, fragment.selectionSet, part, info)
    }
  }
}

/** The fragment's type, if a row of this type can have it; else undefined. */
function narrowed(type: GraphQLNamedType, condition: string | undefined, { schema }: GraphQLResolveInfo) {
  const named = condition === undefined ? undefined : schema.getType(condition)
  if (!named || !isCompositeType(type) || !isCompositeType(named)) return type
  if (!doTypesOverlap(schema, type, named)) return undefined
  return isObjectType(type) ? type : named
}

function collectField(selection: Mutable, node: FieldNode, type: GraphQLNamedType, info: GraphQLResolveInfo) {
  if (!isObjectType(type) && !isInterfaceType(type)) return
  const field = type.getFields()[node.name.value]
  if (!field) return
  const { columns = [], relations = [], into } = traitsOf(field).needs
  const names = (one: typeof columns) => (typeof one === 'function' ? one(valuesOf(field, node, info)) : one)
  for (const column of names(columns)) selection.columns.add(column)
  for (const relation of names(relations)) selection.relations.add(relation)
  if (!into) return // nothing below it is asked of this row
  const under = into === 'self' ? selection : linked(selection, into.link)
  const next = getNamedType(field.type)
  if (node.selectionSet && isCompositeType(next)) collect(under, node.selectionSet, next, info)
}

function linked(selection: Mutable, link: string): Mutable {
  let under = selection.links.get(link)
  if (!under) selection.links.set(link, (under = empty()))
  return under
}

function valuesOf(field: GraphQLField<unknown, unknown>, node: FieldNode, info: GraphQLResolveInfo) {
  return getArgumentValues(field, node, info.variableValues)
}

function isIncluded(node: SelectionNode, { variableValues }: GraphQLResolveInfo): boolean {
  if (!node.directives?.length) return true
  if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.['if'] === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.['if'] !== false
}

/** The fields that a query selects below a field, for objects of one type. */
export function includedFields(info: GraphQLResolveInfo, type: GraphQLObjectType): readonly FieldNode[] {
  const applies = (condition: string | undefined) =>
    condition === undefined ||
    condition === type.name ||
    type.getInterfaces().some(({ name }) => name === condition)
  const spread = new Set<string>()
  const within = ({ selections }: SelectionSetNode): readonly FieldNode[] =>
    selections.flatMap((selection) => {
      if (!isIncluded(selection, info)) return []
      if (selection.kind === 'Field') return [selection]
      if (selection.kind === 'FragmentSpread') {
        if (spread.has(selection.name.value)) return []
        spread.add(selection.name.value)
      }
      const part = selection.kind === 'InlineFragment' ? selection : info.fragments[selection.name.value]
      return part && applies(part.typeCondition?.name.value) ? within(part.selectionSet) : []
    })
  return info.fieldNodes.flatMap(({ selectionSet }) => (selectionSet ? within(selectionSet) : []))
}
