import { parseArgs } from 'node:util'
import type { ParseArgsConfig } from 'node:util'
import { UsageError } from './usage-error.ts'

/**
 * Parses the arguments of a command. Throws UsageError with the usage, also if an option that takes one value
 * is given twice.
 */
export function parsedArgs<const Config extends ParseArgsConfig>(
  args: readonly string[],
  config: Config,
  usage: string,
) {
  try {
    const parsed = parseArgs({ ...config, args: [...args] })
    const twice = givenTwice(args, config)
    if (twice === undefined) return parsed
    throw new Error(`--${twice} is given twice.`)
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`) // only errors are thrown above
  }
}

/** The first option with one value that is given again. */
function givenTwice(args: readonly string[], config: ParseArgsConfig): string | undefined {
  const { tokens } = parseArgs({ ...config, args: [...args], tokens: true })
  const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
  return names.find((name, at) => {
    const { type, multiple = false } = config.options?.[name] ?? {}
    return type === 'string' && !multiple && names.indexOf(name) < at
  })
}
