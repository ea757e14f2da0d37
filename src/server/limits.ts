import { GraphQLError, Kind, Lexer, parse, Source, TokenKind } from 'graphql'
import type {
  ASTVisitor,
  DocumentNode,
  FieldNode,
  SelectionNode,
  SelectionSetNode,
  ValidationContext,
} from 'graphql'
import { ownText } from '../own-text.ts'

/** Maximum bytes of a request: room for twice ten thousand ids. */
export const largestBody = 1_048_576

/** Maximum tokens and depth: far more than a page needs, far less than what keeps a process busy. */
const mostTokens = 10_000
const mostDepth = 20
/** Maximum nesting of brackets. Bounds recursion depth. */
const mostBrackets = 200
/** Maximum comparisons of fields that validation makes: a document may have 300 fields of the same name in one place. */
export const mostComparisons = 100_000
/** Maximum characters of a name. Names of operations and aliases are kept, logged and counted. */
const longestName = 1_000

/** Parses a document. Throws a GraphQLError, also for one that is too long or has too long names. */
export function parseWithinLimits(text: string): DocumentNode {
  check(text)
  const document = parse(text, { maxTokens: mostTokens })
  if (comparisonsIn(document) > mostComparisons)
    throw refused('The document has too many fields of the same name in one place.')
  return withOwnTexts(document)
}

const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

/** Checks names and brackets before the parser runs. It refuses a document that is too long itself. */
function check(text: string): void {
  const lexer = new Lexer(new Source(text))
  let depth = 0
  for (let count = 0; count < mostTokens; count += 1) {
    const { kind, start, end } = lexer.advance()
    if (kind === TokenKind.EOF) return
    if (kind === TokenKind.NAME && end - start > longestName)
      throw refused(`The document has a name of more than ${longestName} characters.`)
    if (opening.has(kind)) depth += 1
    if (closing.has(kind)) depth -= 1
    if (depth > mostBrackets) throw refused(`The document nests brackets more than ${mostBrackets} deep.`)
  }
}

/**
 * At least as many comparisons of two fields as validation makes, or one number above the maximum. Counts each fragment
 * once, as validation does.
 */
export function comparisonsIn({ definitions }: DocumentNode): number {
  const fragments = new Map<string, SelectionSetNode>()
  for (const one of definitions)
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one.selectionSet)
  let comparisons = 0
  for (const one of definitions) if (one.kind === Kind.OPERATION_DEFINITION) count([one.selectionSet])
  // Those that no operation uses are validated too.
  for (const [name, fragment] of fragments) if (fragments.delete(name)) count([fragment])
  return comparisons

  /** Counts those of selections that are merged, and of those below them. */
  function count(merged: readonly SelectionSetNode[]): void {
    const byName = new Map<string, FieldNode[]>()
    comparisons += merged.reduce((spreads, one) => spreads + collect(one, byName), 0) ** 2
    for (const fields of byName.values()) {
      comparisons += fields.length ** 2
      if (comparisons > mostComparisons) return
      count(fields.flatMap(({ selectionSet }) => selectionSet ?? []))
    }
  }

  /** Adds the fields of a selection by their names. Returns how many fragments it names. */
  function collect({ selections }: SelectionSetNode, byName: Map<string, FieldNode[]>): number {
    let spreads = 0
    for (const one of selections) {
      if (one.kind === Kind.FIELD) {
        const name = (one.alias ?? one.name).value
        const fields = byName.get(name)
        if (fields) fields.push(one)
        else byName.set(name, [one])
      } else if (one.kind === Kind.INLINE_FRAGMENT) spreads += collect(one.selectionSet, byName)
      else {
        const fragment = fragments.get(one.name.value)
        fragments.delete(one.name.value)
        spreads += 1 + (fragment ? collect(fragment, byName) : 0)
      }
    }
    return spreads
  }
}

const refused = (message: string) =>
  new GraphQLError(message, { extensions: { code: 'GRAPHQL_PARSE_FAILED' } })

/** Gives the names and values of a document memory of their own: ids become the keys of rows, which outlive its text. */
function withOwnTexts<Node extends object>(node: Node): Node {
  for (const [name, part] of Object.entries(node)) {
    // Its tokens live as long as the document.
    if (name === 'loc') continue
    if (name === 'value' && typeof part === 'string') Object.assign(node, { value: ownText(part) })
    else if (typeof part === 'object' && part !== null) withOwnTexts(part as object) // a node, or a list of them
  }
  return node
}

/** Reports operations that are nested too deep. */
export function depthRule(context: ValidationContext): ASTVisitor {
  const depths = new Map<string, number>()
  return {
    OperationDefinition({ selectionSet, name }) {
      if (depthOf(selectionSet) <= mostDepth) return
      const which = name ? `Query ${JSON.stringify(name.value)}` : 'The query'
      const message = `${which} is nested more than ${mostDepth} levels deep.`
      context.reportError(new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } }))
    },
  }

  /** The depth of a selection, with its fragments. */
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

  /** Each fragment is measured once. Another rule reports fragments that contain themselves. */
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
