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
import { traitsOf } from './traits.ts'

interface Mutable {
  columns: Set<string>
  facets: Set<string>
  links: Map<string, Mutable>
  /** Fragments that have been collected here. */
  spread: Set<string>
}

const empty = (): Mutable => ({ columns: new Set(), facets: new Set(), links: new Map(), spread: new Set() })

/**
 * What the query wants of the rows that a field answers with: fragments, aliases, variables, @skip and @include honoured. Of a
 * field that answers with rows of several types, what it wants of one of them.
 */
export function selectionOf(
  info: GraphQLResolveInfo,
  type: GraphQLNamedType = getNamedType(info.returnType),
): Selection {
  const [first, ...merged] = info.fieldNodes
  if (!first) return nothing
  if (merged.length > 0) return collectAll(info, type)
  const known = knownFor(info, type)
  let want = known.get(first)
  if (!want) known.set(first, (want = collectAll(info, type)))
  return want
}

type Wants = Map<FieldNode, Selection>

// Field nodes live as long as the document, variables only as long as the operation that is being executed.
const wants = new WeakMap<object, Map<GraphQLNamedType, Wants>>()

function knownFor({ variableValues }: GraphQLResolveInfo, type: GraphQLNamedType): Wants {
  let byType = wants.get(variableValues)
  if (!byType) wants.set(variableValues, (byType = new Map()))
  let known = byType.get(type)
  if (!known) byType.set(type, (known = new Map()))
  return known
}

/** Selections of subscriptions, by field and variables. */
const shared = new WeakMap<FieldNode, Map<string, Selection>>()
const mostShared = 1_000

/** The same as `selectionOf`, one object for all requests with the same document and variables. */
export function sharedSelection(info: GraphQLResolveInfo): Selection {
  const [node] = info.fieldNodes
  if (!node || info.fieldNodes.length > 1) return selectionOf(info)
  let byVariables = shared.get(node)
  if (!byVariables) shared.set(node, (byVariables = new Map()))
  if (byVariables.size >= mostShared) byVariables.clear()
  const variables = JSON.stringify(info.variableValues)
  let want = byVariables.get(variables)
  if (!want) byVariables.set(variables, (want = selectionOf(info)))
  return want
}

function collectAll(info: GraphQLResolveInfo, type: GraphQLNamedType): Selection {
  const want = empty()
  for (const { selectionSet } of info.fieldNodes) if (selectionSet) collect(want, selectionSet, type, info)
  return want
}

function collect(
  want: Mutable,
  { selections }: SelectionSetNode,
  type: GraphQLNamedType,
  info: GraphQLResolveInfo,
) {
  for (const selection of selections) {
    if (!isIncluded(selection, info)) continue
    if (selection.kind === 'Field') collectField(want, selection, type, info)
    else if (selection.kind === 'InlineFragment') {
      const part = narrowed(type, selection.typeCondition?.name.value, info)
      if (part) collect(want, selection.selectionSet, part, info)
    } else {
      const fragment = info.fragments[selection.name.value]
      const part = fragment && narrowed(type, fragment.typeCondition.name.value, info)
      if (!part || want.spread.has(selection.name.value)) continue
      want.spread.add(selection.name.value)
      collect(want, fragment.selectionSet, part, info)
    }
  }
}

/** The type that a fragment is about, where it can be that of a row of this type; undefined where it cannot. */
function narrowed(type: GraphQLNamedType, condition: string | undefined, { schema }: GraphQLResolveInfo) {
  const named = condition === undefined ? undefined : schema.getType(condition)
  if (!named || !isCompositeType(type) || !isCompositeType(named)) return type
  if (!doTypesOverlap(schema, type, named)) return undefined
  return isObjectType(type) ? type : named
}

function collectField(want: Mutable, node: FieldNode, type: GraphQLNamedType, info: GraphQLResolveInfo) {
  if (!isObjectType(type) && !isInterfaceType(type)) return
  const field = type.getFields()[node.name.value]
  if (!field) return
  const { columns = [], facets = [], into } = traitsOf(field).needs
  const names = (one: typeof columns) => (typeof one === 'function' ? one(valuesOf(field, node, info)) : one)
  for (const column of names(columns)) want.columns.add(column)
  for (const facet of names(facets)) want.facets.add(facet)
  const under = into === 'self' ? want : into ? linked(want, into.link) : empty()
  const next = getNamedType(field.type)
  if (node.selectionSet && isCompositeType(next)) collect(under, node.selectionSet, next, info)
}

function linked(want: Mutable, link: string): Mutable {
  let under = want.links.get(link)
  if (!under) want.links.set(link, (under = empty()))
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

/** The fields that a query selects beneath a field of an object that turns out to be of a type. */
export function includedFields(info: GraphQLResolveInfo, type: GraphQLObjectType): readonly FieldNode[] {
  const applies = (condition: string | undefined) =>
    condition === undefined ||
    condition === type.name ||
    type.getInterfaces().some(({ name }) => name === condition)
  const within = ({ selections }: SelectionSetNode): readonly FieldNode[] =>
    selections.flatMap((selection) => {
      if (!isIncluded(selection, info)) return []
      if (selection.kind === 'Field') return [selection]
      const part = selection.kind === 'InlineFragment' ? selection : info.fragments[selection.name.value]
      return part && applies(part.typeCondition?.name.value) ? within(part.selectionSet) : []
    })
  return info.fieldNodes.flatMap(({ selectionSet }) => (selectionSet ? within(selectionSet) : []))
}
