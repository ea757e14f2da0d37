import { getOperationAST, getVariableValues, GraphQLError, Kind } from 'graphql'
import type {
  DocumentNode,
  FragmentDefinitionNode,
  GraphQLObjectType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql'
import { KeptPlans } from '../kept-plans.ts'
import { shareSelections } from '../selection.ts'
import { Compiler } from './compile.ts'
import type { Fragments, ObjectPlan } from './compile.ts'
import { LeastValues } from './least.ts'

export type Variables = Record<string, unknown>

type CoercedVariables = ReturnType<typeof getVariableValues>

/** A query's plan for one set of conditions. Its compiler adds nested plans when they are needed. */
export interface Variant {
  readonly root: ObjectPlan
  readonly compiler: Compiler
  readonly least: LeastValues
}

/** Maximum sets of conditions for which a document keeps plans. */
const mostVariants = 16

/** Maximum sets of coerced variables that a document keeps, and maximum characters of each. */
const [mostVariables, longestVariables] = [16, 1_000]

/** A query of a document. It is compiled once for each set of conditions. */
export class CompiledQuery {
  readonly operation: OperationDefinitionNode
  readonly fragments: Fragments
  readonly #schema: GraphQLSchema
  readonly #rootType: GraphQLObjectType
  /** The variables that `@skip` and `@include` name. */
  readonly #conditions: readonly string[]
  readonly #variants = new Map<string, Variant>()
  readonly #coerced = new Map<string, CoercedVariables>()
  /** By the variables of a request, which are looked at several times. */
  readonly #ofRequests = new WeakMap<Variables, CoercedVariables>()

  constructor(schema: GraphQLSchema, { rootType, operation, fragments, conditions }: Parts) {
    this.#schema = schema
    this.#rootType = rootType
    this.#conditions = conditions
    this.operation = operation
    this.fragments = fragments
  }

  /**
   * The coerced variables of a request, or their errors. Equal variables return the same object, because
   * selections are cached by it.
   */
  variables(raw: Variables): CoercedVariables {
    const before = this.#ofRequests.get(raw)
    if (before) return before
    const { variableDefinitions = [] } = this.operation
    const text = variableDefinitions.length === 0 ? '' : shortText(raw)
    const kept = text === null ? undefined : this.#coerced.get(text)
    const coerced =
      kept ?? this.#withoutNulls(getVariableValues(this.#schema, variableDefinitions, raw, { maxErrors: 50 }))
    this.#ofRequests.set(raw, coerced)
    if (!kept && coerced.coerced && text !== null) this.#keepVariables(text, coerced)
    return coerced
  }

  /** A variable with a default may be null, but not as the condition of `@skip` or `@include`. */
  #withoutNulls(variables: CoercedVariables): CoercedVariables {
    const nulls = this.#conditions.filter((name) => variables.coerced?.[name] === null)
    if (nulls.length === 0) return variables
    const errors = nulls.map((name) => {
      const nodes = this.operation.variableDefinitions?.find(({ variable }) => variable.name.value === name)
      return new GraphQLError(`Variable "$${name}" must not be null, because @skip or @include uses it.`, {
        nodes,
      })
    })
    return { errors }
  }

  #keepVariables(text: string, coerced: CoercedVariables): void {
    if (this.#coerced.size >= mostVariables)
      for (const oldest of this.#coerced.keys()) {
        this.#coerced.delete(oldest)
        break
      }
    this.#coerced.set(text, coerced)
    if (coerced.coerced) shareSelections(coerced.coerced)
  }

  variant(variables: Variables): Variant {
    const bits = this.#conditions.map((name) => (variables[name] === true ? 1 : 0)).join('')
    let variant = this.#variants.get(bits)
    if (variant) return variant
    const conditions = Object.fromEntries(this.#conditions.map((name) => [name, variables[name] === true]))
    const compiler = new Compiler(this.#schema, this.fragments, conditions)
    const root = compiler.root(this.#rootType, this.operation.selectionSet)
    variant = { compiler, root, least: new LeastValues(compiler, root) }
    if (this.#variants.size < mostVariants) this.#variants.set(bits, variant)
    return variant
  }
}

/** Variables as JSON; null if that is too long to be kept. */
function shortText(raw: Variables): string | null {
  for (const value of Object.values(raw))
    if ((typeof value === 'string' || Array.isArray(value)) && value.length > longestVariables) return null
  const text = JSON.stringify(raw)
  return text.length > longestVariables ? null : text
}

const compiled = new KeptPlans<OperationDefinitionNode, CompiledQuery>()

/** A compiled query or subscription of a valid document; null if the schema or the document has no such operation. */
export function compiledQuery(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName?: string | null,
): CompiledQuery | null {
  const operation = getOperationAST(document, operationName)
  const rootType = operation && schema.getRootType(operation.operation)
  return rootType ? compiled.of(operation, () => compile(schema, document, operation, rootType)) : null
}

function compile(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  rootType: GraphQLObjectType,
) {
  const definitions = document.definitions.filter(
    (definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION,
  )
  const fragments = Object.fromEntries(definitions.map((one) => [one.name.value, one]))
  const conditions = new Set<string>()
  collectConditions(operation.selectionSet, conditions, fragments, new Set())
  return new CompiledQuery(schema, { rootType, operation, fragments, conditions: [...conditions].toSorted() })
}

interface Parts {
  readonly rootType: GraphQLObjectType
  readonly operation: OperationDefinitionNode
  readonly fragments: Fragments
  readonly conditions: readonly string[]
}

/** Collects the variables of directives, those of fragments that are spread included. */
function collectConditions(
  { selections }: SelectionSetNode,
  conditions: Set<string>,
  fragments: Fragments,
  spread: Set<string>,
): void {
  for (const selection of selections) {
    for (const { arguments: given = [] } of selection.directives ?? [])
      for (const { value } of given) if (value.kind === Kind.VARIABLE) conditions.add(value.name.value)
    if (selection.kind === Kind.FRAGMENT_SPREAD && spread.has(selection.name.value)) continue
    if (selection.kind === Kind.FRAGMENT_SPREAD) spread.add(selection.name.value)
    const { selectionSet } =
      selection.kind === Kind.FRAGMENT_SPREAD ? (fragments[selection.name.value] ?? {}) : selection
    if (selectionSet) collectConditions(selectionSet, conditions, fragments, spread)
  }
}
