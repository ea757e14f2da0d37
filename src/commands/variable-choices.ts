import { getNullableType, GraphQLBoolean, isEnumType, typeFromAST, visit } from 'graphql'
import type {
  DocumentNode,
  GraphQLEnumType,
  GraphQLInputType,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql'

/**
 * The variables of an operation whose values may differ in cost, each with those that may cost the most. Of a
 * Boolean: false to skip, true to include, and either for anything else. Of an enum: every value, and null if it
 * may be null. A variable with a default has that value.
 */
export function choicesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
): ReadonlyMap<string, readonly unknown[]> {
  const uses = argumentsOf(document)
  const choices = new Map<string, readonly unknown[]>()
  for (const { variable, type, defaultValue } of variableDefinitions) {
    const wanted = typeFromAST(schema, type) as GraphQLInputType // of a valid document
    const nonNull = getNullableType(wanted)
    const { value: name } = variable.name
    if (defaultValue) continue
    if (nonNull === GraphQLBoolean) choices.set(name, booleansFor(uses.get(name)))
    if (isEnumType(nonNull)) choices.set(name, [...valuesOf(nonNull), ...(nonNull === wanted ? [null] : [])])
  }
  return choices
}

/** All values of an enum, by their names. */
export const valuesOf = (type: GraphQLEnumType): readonly string[] => type.getValues().map(({ name }) => name)

const booleansFor = (uses: ReadonlySet<string> = new Set()): readonly boolean[] => [
  ...new Set([...uses].flatMap((use) => dearest.get(use) ?? [true, false])),
]

const dearest: ReadonlyMap<string, boolean> = new Map([
  ['@skip', false],
  ['@include', true],
])

/** The arguments that each variable is the value of: of a directive by its name, of a field by their own. */
function argumentsOf(document: DocumentNode): ReadonlyMap<string, ReadonlySet<string>> {
  const uses = new Map<string, Set<string>>()
  let directive: string | null = null
  visit(document, {
    Directive: {
      enter({ name }) {
        directive = `@${name.value}`
      },
      leave() {
        directive = null
      },
    },
    Argument({ name, value }) {
      const use = directive ?? name.value
      const Variable = (variable: { readonly name: { readonly value: string } }) => {
        uses.set(variable.name.value, (uses.get(variable.name.value) ?? new Set()).add(use))
      }
      visit(value, { Variable })
    },
  })
  return uses
}
