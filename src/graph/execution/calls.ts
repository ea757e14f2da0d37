import { getArgumentValues } from 'graphql'
import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql'
import type { ExecutionBudget } from './budget.ts'
import type { FieldPlan } from './compile.ts'
import type { CompiledQuery, Variables } from './document.ts'

export interface Executed {
  readonly schema: GraphQLSchema
  readonly query: CompiledQuery
  readonly variables: Variables
  readonly context: unknown
  readonly rootValue?: unknown
}

/** What a field is resolved with, the same for all its objects. */
export interface FieldCall {
  readonly info: GraphQLResolveInfo
  readonly values: Readonly<Record<string, unknown>>
  /** The error in the arguments; null if they are valid. */
  readonly fault: unknown
}

/** The arguments of each field in one execution, computed once. */
export class Calls {
  readonly #executed: Executed
  readonly #budget: ExecutionBudget
  readonly #calls = new Map<FieldPlan, FieldCall>()

  constructor(executed: Executed, budget: ExecutionBudget) {
    this.#executed = executed
    this.#budget = budget
  }

  of(field: FieldPlan): FieldCall {
    let call = this.#calls.get(field)
    if (!call) this.#calls.set(field, (call = this.#make(field)))
    return call
  }

  #make(field: FieldPlan): FieldCall {
    const info = this.#info(field)
    const [node] = field.nodes
    try {
      const values =
        field.constantArguments ??
        (node ? getArgumentValues(field.definition, node, this.#executed.variables) : {})
      this.#budget.checkLists(values)
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
      // Shared by all objects of the field. An error's path is determined elsewhere.
      path: { prev: undefined, key: responseName, typename: parentType.name },
      schema,
      fragments: query.fragments,
      rootValue,
      operation: query.operation,
      variableValues: variables,
    }
  }
}
