import { writeCapabilities } from '../capabilities/file.ts'
import type { Subject } from '../capabilities/questions/question.ts'
import type { Ledgers } from '../money/ledgers.ts'
import { httpTransport } from '../wire/transport.ts'
import { bookedIn } from './doctor-booking.ts'
import { doctorJson, doctorTable, questionTable } from './doctor-table.ts'
import { examine } from './doctor-run.ts'
import { parsedArgs } from './options.ts'
import { probeSender } from './send-probe.ts'
import { UsageError } from './usage-error.ts'

export const doctorUsage = 'statline doctor [--tokens 25] [--json] | --questions'

export const doctorHelp = `${doctorUsage}

  --tokens     the most that the examination may spend; 25 unless given
  --json       for other programs
  --questions  list what is examined, without spending anything`

/** The service's address and key, and where findings are saved. */
export interface Examined {
  readonly url: string | null
  readonly apiKey: string | null
  readonly timeoutMs: number
  readonly file: string
  readonly about: Subject
  /** Opens the graph's ledger. */
  readonly ledgers: () => Promise<Ledgers>
}

export interface Diagnosis {
  /** The text to print: the table, JSON, or the list of questions. */
  readonly text: string
  /** Why the service could not be examined, in one line; null if it was. */
  readonly trouble: string | null
}

/** Examines a service, saves the findings for the graph and books the cost. Throws UsageError. */
export async function doctor(
  args: readonly string[],
  { url, apiKey, timeoutMs, file, about, ledgers }: Examined,
  clock: () => number,
): Promise<Diagnosis> {
  const { tokens, json, questions: isList } = valuesOf(args)
  if (isList) return { text: questionTable(), trouble: null }
  if (url === null) throw new UsageError(`UPSTREAM_URL must name the service to examine.\n${doctorUsage}`)
  if (apiKey === null)
    throw new UsageError(`UPSTREAM_API_KEY must be the key to examine it with.\n${doctorUsage}`)
  const ledger = await ledgers()
  const transport = httpTransport(url)
  try {
    const ask = probeSender(transport, apiKey, timeoutMs)
    const examined = await examine(ask, tokens, about, clock, bookedIn(ledger, apiKey))
    const { trouble } = examined
    if (trouble === null) writeCapabilities(file, url, examined.capabilities)
    const saved = trouble === null ? `\nSaved to ${file}, where the graph finds it.` : ''
    return { text: json ? doctorJson(examined) : doctorTable(examined) + saved, trouble }
  } finally {
    await transport.close?.()
    await ledger.books.close()
  }
}

function valuesOf(args: readonly string[]) {
  const options = {
    tokens: { type: 'string' },
    json: { type: 'boolean' },
    questions: { type: 'boolean' },
  } as const
  const { values } = parsedArgs(args, { options }, doctorUsage)
  const { tokens = '25', json = false, questions = false } = values
  if (!/^\d{1,6}$/.test(tokens) || Number(tokens) === 0)
    throw new UsageError(`--tokens must be a whole number of tokens.\n${doctorUsage}`)
  return { tokens: Number(tokens), json, questions }
}
