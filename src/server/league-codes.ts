import { Kind, valueFromASTUntyped, visit } from 'graphql'
import type { DocumentNode } from 'graphql'

/** The league codes that a document names, such as `CBB` or `CBB/D1`. */
export function leagueCodesIn(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>> | null | undefined,
): readonly string[] {
  const codes = new Set<string>()
  visit(document, {
    Argument({ name, value }) {
      if (name.value !== 'code') return
      const code: unknown =
        value.kind === Kind.VARIABLE ? variables?.[value.name.value] : valueFromASTUntyped(value)
      if (typeof code === 'string') codes.add(code)
    },
  })
  return [...codes]
}
