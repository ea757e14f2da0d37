import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  typeFromAST,
  valueFromAST,
} from 'graphql'
import type {
  DocumentNode,
  GraphQLArgument,
  GraphQLInputType,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql'
import { globalId } from '../graph/ids.ts'
import { choicesOf, valuesOf } from './variable-choices.ts'
import { usesOf } from './variable-uses.ts'
import type { Use } from './variable-uses.ts'

/** The assumed length of a list of ids, as in `@listSize`. */
const idsOfList = 20

/** A number of rows to ask for. */
const someRows = 10

/** Arguments that are left out if they may be: a cursor of an earlier answer, and a code in place of ids. */
const leftOut = new Set(['after', 'code'])

const day = 86_400_000

/**
 * Variables for a dry run of an operation: its defaults, or made-up values that are valid for their use. Each id,
 * day and season differs from the others, so that what is asked for twice is priced twice.
 */
export function sampleVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  now: number,
): Record<string, unknown> {
  let [ids, days, seasons] = [0, 0, 0]
  const uses = usesOf(schema, document)
  const choices = choicesOf(schema, document, operation)
  const values = (operation.variableDefinitions ?? []).map(({ variable, type, defaultValue }) => {
    const wanted = typeFromAST(schema, type) as GraphQLInputType // of a valid document
    const use = uses.get(variable.name.value)
    const isLeftOut = leftOut.has(use?.argument.name ?? '') && !isNonNullType(wanted)
    const [choice] = choices.get(variable.name.value) ?? []
    if (choice !== undefined) return [variable.name.value, choice]
    if (defaultValue) return [variable.name.value, valueFromAST(defaultValue, wanted)]
    return [variable.name.value, isLeftOut ? null : sample(wanted, use)]
  })
  return Object.fromEntries(values)

  function sample(type: GraphQLInputType, use: Use | undefined): unknown {
    if (isNonNullType(type)) return sample(type.ofType, use)
    if (isListType(type)) {
      const inner = getNullableType(type.ofType)
      if (isEnumType(inner)) return valuesOf(inner)
      const count = String(type.ofType).startsWith('ID') ? idsOfList : 1
      return Array.from({ length: count }, () => sample(type.ofType, use))
    }
    if (isEnumType(type)) return valuesOf(type)[0]
    if (isInputObjectType(type))
      return Object.fromEntries(
        Object.values(type.getFields()).map(({ name, type: inner }) => [name, sample(inner, undefined)]),
      )
    return ofScalar(type.name, use)
  }

  function ofScalar(name: string, use: Use | undefined): unknown {
    if (name === 'ID') return id(use?.node ?? null)
    if (name === 'Int' || name === 'Float') return number(use?.argument)
    if (name === 'Boolean') return true
    if (name === 'Date') return moment().slice(0, 10)
    return name === 'DateTime' ? moment() : 'points'
  }

  /** Now, then the same time of the day before, and so on. */
  function moment(): string {
    return new Date(now - day * days++).toISOString()
  }

  function id(node: string | null): string {
    const key = `00000000-0000-4000-9000-${String((ids += 1)).padStart(12, '0')}`
    return node === null ? key : globalId(node, key)
  }

  function number(argument: GraphQLArgument | undefined): unknown {
    if (argument?.name === 'season') return new Date(now).getUTCFullYear() - seasons++
    return argument?.defaultValue ?? someRows
  }
}
