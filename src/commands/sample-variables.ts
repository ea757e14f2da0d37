import { isEnumType, isInputObjectType, isListType, isNonNullType, typeFromAST, valueFromAST } from 'graphql'
import type { GraphQLInputType, GraphQLSchema, OperationDefinitionNode } from 'graphql'

/** The assumed length of a list of ids, as in `@listSize`. */
const idsOfList = 20

/** Variables for a dry run of an operation: its defaults, or made-up values of the right type. */
export function sampleVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  now: number,
): Record<string, unknown> {
  let made = 0
  const values = variableDefinitions.map(({ variable, type, defaultValue }) => {
    const wanted = typeFromAST(schema, type) as GraphQLInputType // of a valid document
    const value = defaultValue ? valueFromAST(defaultValue, wanted) : sample(wanted)
    return [variable.name.value, value]
  })
  return Object.fromEntries(values)

  function sample(type: GraphQLInputType): unknown {
    if (isNonNullType(type)) return sample(type.ofType)
    if (isListType(type)) {
      const count = String(type.ofType).startsWith('ID') ? idsOfList : 1
      return Array.from({ length: count }, () => sample(type.ofType))
    }
    if (isEnumType(type)) return type.getValues()[0]?.name
    if (isInputObjectType(type))
      return Object.fromEntries(
        Object.values(type.getFields()).map(({ name, type: inner }) => [name, sample(inner)]),
      )
    return ofScalar(type.name)
  }

  function ofScalar(name: string): unknown {
    const today = new Date(now).toISOString()
    if (name === 'ID') return `00000000-0000-4000-9000-${String((made += 1)).padStart(12, '0')}`
    if (name === 'Int' || name === 'Float') return new Date(now).getUTCFullYear()
    if (name === 'Boolean') return true
    if (name === 'Date') return today.slice(0, 10)
    return name === 'DateTime' ? today : 'points'
  }
}
