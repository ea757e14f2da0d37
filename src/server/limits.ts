import { GraphQLError, Kind, parse } from 'graphql'
import type {
  ASTVisitor,
  DocumentNode,
  ParseOptions,
  SelectionNode,
  SelectionSetNode,
  ValidationContext,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'

/** Bytes of a request: ten thousand ids fit in twice. */
export const largestBody = 1_048_576

/** Far more than a page needs, far less than what keeps a process busy. */
const mostTokens = 10_000
const mostDepth = 20

/** Refuses documents that cost more to read than any page is worth: too long, or too deep. */
export function useLimits(): Plugin {
  return {
    onParse({ setParseFn }) {
      setParseFn((source: string, options: ParseOptions) =>
        parsed(source, { ...options, maxTokens: mostTokens }),
      )
    },
    onValidate({ addValidationRule }) {
      addValidationRule(depthRule)
    },
  }
}

/** A text too deep for the parser itself is its sender's fault too. */
function parsed(source: string, options: ParseOptions): DocumentNode {
  try {
    return parse(source, options)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new GraphQLError('The query is nested too deep.', { extensions: { code: 'GRAPHQL_PARSE_FAILED' } })
  }
}

function depthRule(context: ValidationContext): ASTVisitor {
  const depths = new Map<string, number>()
  return {
    OperationDefinition({ selectionSet, name }) {
      if (depthOf(selectionSet) <= mostDepth) return
      const which = name ? `Query ${JSON.stringify(name.value)}` : 'The query'
      const message = `${which} is nested more than ${mostDepth} levels deep.`
      context.reportError(new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } }))
    },
  }

  /** How deep a selection goes, fragments followed. */
  function depthOf({ selections }: SelectionSetNode): number {
    return Math.max(0, ...selections.map(depthOfSelection))
  }

  function depthOfSelection(selection: SelectionNode): number {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return depthOfFragment(selection.name.value)
    if (selection.kind === Kind.INLINE_FRAGMENT) return depthOf(selection.selectionSet)
    // Introspection is as deep as types are nested, and costs nothing.
    const { selectionSet, name } = selection
    return selectionSet && !name.value.startsWith('__') ? 1 + depthOf(selectionSet) : 1
  }

  /** Each fragment is measured once. One within itself is another rule's to report. */
  function depthOfFragment(name: string): number {
    const known = depths.get(name)
    if (known !== undefined) return known
    depths.set(name, 0)
    const fragment = context.getFragment(name)
    const depth = fragment ? depthOf(fragment.selectionSet) : 0
    depths.set(name, depth)
    return depth
  }
}
