import { readFileSync } from 'node:fs'
import { GraphQLError } from 'graphql'
import { schema } from '../schema.ts'
import { dryPrice } from '../server/dry-price.ts'
import { filesOf } from './files.ts'
import { operationsIn, placeOf } from './operation-files.ts'
import type { OperationInFile } from './operation-files.ts'
import { parsedArgs } from './options.ts'
import { priceJson, priceTable } from './price-table.ts'
import type { Price, Prices } from './price-table.ts'
import { sampleVariables } from './sample-variables.ts'
import type { Estimates } from '../account/estimates.ts'
import { readSizes, SIZES_FILE } from '../account/sizes-file.ts'
import type { LearnedSizes } from '../account/sizes-file.ts'
import { UsageError } from './usage-error.ts'
import { choicesOf } from './variable-choices.ts'

export const priceUsage = 'statline price FILES [--max TOKENS] [--base FILE] [--sizes FILE] [--json]'

export const priceHelp = `${priceUsage}

  FILES    GraphQL files, or quoted patterns such as 'src/**/*.graphql'
  --max    exit with 1 if an operation costs more tokens than this, cold
  --base   show what has changed since an earlier --json
  --sizes  sizes.json from the DATA_DIR of a running server, for prices by the sizes that it has learned
  --json   for --base of a later run`

/** Seconds until the second price. By then rows of live games have expired and others have not. */
const again = 60

/**
 * Prices a frontend's operations without a server, with learned sizes if a file of them exists. Also returns
 * whether all are within the limit. Throws UsageError, also if an operation would fail: it has no price.
 */
export async function price(args: readonly string[], now: number, learnedFile = ''): Promise<Priced> {
  const { values, positionals } = parsed(args)
  const sizes = sizesOf(values.sizes, learnedFile)
  const most = values.max === undefined ? null : tokensOf(values.max)
  const base = values.base === undefined ? null : baseOf(values.base)
  if (positionals.length === 0) throw new UsageError(`No files are named.\n${priceUsage}`)
  const operations = operationsIn(filesOf(positionals))
  if (operations.length === 0) throw new UsageError(`No operation is in ${positionals.join(' ')}.`)
  const prices: Price[] = []
  const faults: string[] = []
  for (const operation of operations) {
    try {
      prices.push(await priceOf(operation, now, sizes?.estimates))
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error
      faults.push(`${placeOf(error, operation.file)}: ${operation.name}: ${error.message}`)
    }
  }
  if (faults.length > 0) throw new UsageError(faults.join('\n'))
  const text = values.json ? priceJson(prices, base) : priceTable(prices, most, base)
  const note = sizes
    ? `Sizes and prices are those learned until ${sizes.learnedAt}.`
    : 'Sizes are estimated from the specification: no server has learned any in this folder.'
  const above = prices.filter(({ cold }) => most !== null && cold > most)
  return { text, note: [note, ...excess(above, most)].join('\n'), isWithin: above.length === 0 }
}

/** A line that names the operations above the limit, if there are any. */
function excess(above: readonly Price[], most: number | null): readonly string[] {
  if (above.length === 0) return []
  const names = above.toSorted((a, b) => b.cold - a.cold).map(({ name, cold }) => `${name} (${cold})`)
  return [`Above the limit of ${most} tokens: ${names.join(', ')}.`]
}

interface Priced {
  readonly text: string
  /** Which sizes were used, and which operations are above the limit. */
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

/** Prices an operation. Of a Boolean or an enum, the value that costs the most counts. */
async function priceOf(
  { name, file, node, document }: OperationInFile,
  now: number,
  estimates: Estimates | undefined,
): Promise<Price> {
  const pricedWith = async (variables: Record<string, unknown>) => {
    const [cold = 0, warm = 0] = await dryPrice(document, name, variables, now, [0, again], estimates)
    return { variables, cold, warm }
  }
  let dearest = await pricedWith(sampleVariables(schema, document, node, now))
  for (const [variable, [, ...others]] of choicesOf(schema, document, node)) {
    for (const other of others) {
      const priced = await pricedWith({ ...dearest.variables, [variable]: other })
      if (priced.cold > dearest.cold) dearest = priced
    }
  }
  return { name, file, cold: dearest.cold, warm: dearest.warm }
}

function parsed(args: readonly string[]) {
  const options = {
    max: { type: 'string' },
    base: { type: 'string' },
    sizes: { type: 'string' },
    json: { type: 'boolean' },
  } as const
  return parsedArgs(args, { options, allowPositionals: true }, priceUsage)
}

function tokensOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new UsageError(`--max must be a whole number of tokens.\n${priceUsage}`)
}

/** Reads prices that `--json` wrote. */
function baseOf(file: string): Prices {
  try {
    const prices: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (isPrices(prices))
      return Object.fromEntries(Object.entries(prices).filter(([, price]) => !price?.gone))
  } catch {
    // The error is thrown below.
  }
  throw new UsageError(`--base ${file} cannot be read: write it with statline price FILES --json.`)
}

const isPrices = (value: unknown): value is Prices =>
  isObject(value) &&
  Object.values(value).every(
    (price) => isObject(price) && [price['cold'], price['warm']].every((tokens) => Number.isFinite(tokens)),
  )

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
