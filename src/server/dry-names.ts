import { Kind, valueFromASTUntyped, visit } from 'graphql'
import type { DocumentNode } from 'graphql'
import type { Names } from '../calls/dry-run/made-up.ts'

type Variables = Readonly<Record<string, unknown>> | null | undefined

/** What a document names that made-up rows have to have. */
export const namesIn = (document: DocumentNode, variables: Variables): Names => ({
  codes: textsIn(document, variables, 'code'),
  statistics: textsIn(document, variables, 'orderBy'),
})

/** The texts that a document gives to an argument. */
function textsIn(document: DocumentNode, variables: Variables, argument: string): readonly string[] {
  const texts = new Set<string>()
  visit(document, {
    Argument({ name, value }) {
      if (name.value !== argument) return
      const text: unknown =
        value.kind === Kind.VARIABLE ? variables?.[value.name.value] : valueFromASTUntyped(value)
      if (typeof text === 'string') texts.add(text)
    },
  })
  return [...texts]
}
