import { Kind, visit } from 'graphql'
import type { DocumentNode, OperationDefinitionNode } from 'graphql'

/**
 * The Boolean variables of an operation without a default, each with the values that may cost the most: false
 * to skip, true to include, and either for anything else.
 */
export function booleansOf(
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
): ReadonlyMap<string, readonly boolean[]> {
  const uses = argumentsOf(document)
  const values = variableDefinitions.flatMap(({ variable, type, defaultValue }) => {
    const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type
    if (defaultValue || named.kind !== Kind.NAMED_TYPE || named.name.value !== 'Boolean') return []
    const { value: name } = variable.name
    const dear = new Set([...(uses.get(name) ?? [])].flatMap((use) => dearest.get(use) ?? [true, false]))
    return [[name, [...dear]] as const]
  })
  return new Map(values)
}

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
