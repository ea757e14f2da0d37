import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Kind, parse, validate } from 'graphql'
import type { DefinitionNode, DocumentNode, FragmentDefinitionNode, OperationDefinitionNode } from 'graphql'
import { schema } from '../schema.ts'
import { dryPrice } from '../server/dry-price.ts'
import { filesOf } from './files.ts'
import { priceJson, priceTable } from './price-table.ts'
import type { Price, Prices } from './price-table.ts'
import { sampleVariables } from './sample-variables.ts'
import type { Estimates } from '../upstream/estimates.ts'
import { readSizes, SIZES_FILE } from '../upstream/sizes-file.ts'
import type { LearnedSizes } from '../upstream/sizes-file.ts'
import { UsageError } from './usage-error.ts'

export const priceUsage = 'statline price FILES [--max TOKENS] [--base FILE] [--sizes FILE] [--json]'

/** Seconds until the second price. By then rows of live games have expired and others have not. */
const again = 60

/**
 * Prices a frontend's operations without a server, with learned sizes if a file of them exists. Also returns
 * whether all are within the limit. Throws UsageError.
 */
export async function price(args: readonly string[], now: number, learnedFile = ''): Promise<Priced> {
  const { values, positionals } = parsed(args)
  const sizes = sizesOf(values.sizes, learnedFile)
  const most = values.max === undefined ? null : tokensOf(values.max)
  const base = values.base === undefined ? null : baseOf(values.base)
  const files = filesOf(positionals)
  if (files.length === 0) throw new UsageError(`No files match.\n${priceUsage}`)
  const prices: Price[] = []
  for (const operation of operationsOf(files)) prices.push(await priceOf(operation, now, sizes?.estimates))
  const text = values.json ? priceJson(prices) : priceTable(prices, most, base)
  const note = sizes
    ? `Sizes and prices as learned until ${sizes.learnedAt}.`
    : 'Sizes as the specification lets expect: no server has learned any here.'
  return { text, note, isWithin: prices.every(({ cold }) => most === null || cold <= most) }
}

interface Priced {
  readonly text: string
  /** Which sizes were used. */
  readonly note: string
  readonly isWithin: boolean
}

/** The sizes in the named file, or in the server's own file if it exists. */
function sizesOf(named: string | undefined, learnedFile: string): LearnedSizes | null {
  const sizes = readSizes(named ?? learnedFile)
  if (named !== undefined && !sizes)
    throw new UsageError(
      `--sizes ${named} cannot be read: a server writes it into its DATA_DIR as ${SIZES_FILE}.`,
    )
  return sizes
}

interface Operation {
  readonly name: string
  readonly file: string
  readonly node: OperationDefinitionNode
  readonly document: DocumentNode
}

async function priceOf(
  { name, file, node, document }: Operation,
  now: number,
  estimates: Estimates | undefined,
): Promise<Price> {
  const variables = sampleVariables(schema, node, now)
  const [cold = 0, warm = 0] = await dryPrice(document, name, variables, now, [0, again], estimates)
  return { name, file, cold, warm }
}

/** The operations in the files, each with the fragments that it needs from all files. */
function operationsOf(files: readonly string[]): readonly Operation[] {
  const all = files.flatMap((file) => definitionsOf(file).map((node) => ({ file, node })))
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
    if (fault) throw new UsageError(`${file}: ${fault.message}`)
    if (!node.name) throw new UsageError(`${file}: an operation has no name.`)
    return [{ name: node.name.value, file, node, document }]
  })
}

function definitionsOf(file: string): readonly DefinitionNode[] {
  try {
    return parse(readFileSync(file, 'utf8')).definitions
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`) // of the file system or of the parser
  }
}

/** The fragments that a definition uses, directly or through other fragments. */
function fragmentsOf(
  definition: DefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly FragmentDefinitionNode[] {
  const found = new Set<FragmentDefinitionNode>()
  const visit = (node: DefinitionNode) => {
    const names = JSON.stringify(node, (key, value: unknown) => (key === 'loc' ? undefined : value)).matchAll(
      /"kind":"FragmentSpread","name":\{"kind":"Name","value":"(\w+)"/g,
    )
    for (const [, name = ''] of names) {
      const fragment = fragments.get(name)
      if (!fragment || found.has(fragment)) continue
      found.add(fragment)
      visit(fragment)
    }
  }
  visit(definition)
  return [...found]
}

function parsed(args: readonly string[]) {
  const options = {
    max: { type: 'string' },
    base: { type: 'string' },
    sizes: { type: 'string' },
    json: { type: 'boolean' },
  } as const
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${priceUsage}`) // parseArgs throws nothing else
  }
}

function tokensOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new UsageError(`--max must be a whole number of tokens.\n${priceUsage}`)
}

/** Reads prices that `--json` wrote. */
function baseOf(file: string): Prices {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Prices // written by this command
  } catch {
    throw new UsageError(`--base ${file} cannot be read: write it with statline price FILES --json.`)
  }
}
