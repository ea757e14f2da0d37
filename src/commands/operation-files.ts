import { readFileSync } from 'node:fs'
import { GraphQLError, Kind, parse, Source, validate, visit } from 'graphql'
import type { DefinitionNode, DocumentNode, FragmentDefinitionNode, OperationDefinitionNode } from 'graphql'
import { schema } from '../schema.ts'
import { UsageError } from './usage-error.ts'

/** A named operation of a frontend, with the fragments that it needs. */
export interface OperationInFile {
  readonly name: string
  readonly file: string
  readonly node: OperationDefinitionNode
  readonly document: DocumentNode
}

/**
 * The operations in the files, each with the fragments that it needs from all files. Throws UsageError, also
 * if two operations or two fragments have one name: prices are compared by name.
 */
export function operationsIn(files: readonly string[]): readonly OperationInFile[] {
  const all = files.flatMap((file) => definitionsOf(file).map((node) => ({ file, node })))
  refuseTwins(all)
  const fragments = new Map(
    all.flatMap(({ node }) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
    ),
  )
  return all.flatMap(({ file, node }) => {
    if (node.kind !== Kind.OPERATION_DEFINITION) return []
    const definitions = [node, ...fragmentsOf(node, fragments)]
    const document: DocumentNode = { kind: Kind.DOCUMENT, definitions }
    const [fault] = validate(schema, document)
    if (fault) throw new UsageError(`${placeOf(fault, file)}: ${fault.message}`)
    if (!node.name) throw new UsageError(`${file}: an operation has no name.`)
    return [{ name: node.name.value, file, node, document }]
  })
}

function definitionsOf(file: string): readonly DefinitionNode[] {
  try {
    return parse(new Source(readFileSync(file, 'utf8'), file)).definitions
  } catch (error) {
    const { message } = error as Error // of the file system or of the parser
    throw new UsageError(`${placeOf(error, file)}: ${message}`)
  }
}

/** Where an error is: `file:line:column` if that is known. A fragment may be of another file. */
export function placeOf(error: unknown, file: string): string {
  if (!(error instanceof GraphQLError)) return file
  const [at] = error.locations ?? []
  return at ? `${error.source?.name ?? file}:${at.line}:${at.column}` : file
}

function refuseTwins(all: readonly { readonly file: string; readonly node: DefinitionNode }[]): void {
  const known = new Map<string, string>()
  for (const { file, node } of all) {
    if (node.kind !== Kind.OPERATION_DEFINITION && node.kind !== Kind.FRAGMENT_DEFINITION) continue
    if (!node.name) continue
    const kind = node.kind === Kind.FRAGMENT_DEFINITION ? 'fragments' : 'operations'
    const what = `${kind} are named ${node.name.value}`
    const other = known.get(what)
    if (other !== undefined) throw new UsageError(`Two ${what}: in ${other} and ${file}.`)
    known.set(what, file)
  }
}

/** The fragments that a definition uses, directly or through other fragments. */
function fragmentsOf(
  definition: DefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly FragmentDefinitionNode[] {
  const found = new Set<FragmentDefinitionNode>()
  const follow = (node: DefinitionNode) =>
    visit(node, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value)
        if (!fragment || found.has(fragment)) return
        found.add(fragment)
        follow(fragment)
      },
    })
  follow(definition)
  return [...found]
}
