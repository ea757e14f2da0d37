import type { Incoming, Outgoing, Transport } from '../../src/wire/transport.ts'

/** One request as the service received it. */
export interface Sent {
  /** `team/read`, as the service names it. */
  readonly operation: string
  readonly arguments: Readonly<Record<string, string | readonly string[]>>
  readonly method: 'GET' | 'POST'
  readonly apiKey: string
  readonly bytes: number
  /**
   * The counts of events at its beginning and its end, over all requests. Requests that overlap were
   * parallel.
   */
  readonly began: number
  readonly ended: number
}

/** A transport that notes what goes through it, in the order in which it was sent. */
export interface Recorder extends Transport {
  readonly sent: readonly Sent[]
  /** `team/read 20` for each call since the last `take`, with its number of ids; sorted. */
  take(): string[]
}

export function record(transport: Transport): Recorder {
  const sent: Sent[] = []
  let moment = 0
  let looked = 0
  const send = async (request: Outgoing): Promise<Incoming> => {
    const line = {
      ...decode(request),
      method: request.method,
      apiKey: request.apiKey,
      bytes: 0,
      began: (moment += 1),
      ended: 0,
    }
    sent.push(line)
    try {
      const answer = await transport(request)
      line.bytes = answer.bytes
      return answer
    } finally {
      line.ended = moment += 1
    }
  }
  const take = () => {
    const since = sent.slice(looked)
    looked = sent.length
    return since.map(line).toSorted()
  }
  return Object.assign(send, { sent, take, close: async () => transport.close?.() })
}

function decode({ path, body }: Outgoing): Pick<Sent, 'operation' | 'arguments'> {
  if (body !== undefined) {
    const { class: table, function: name, arguments: values } = JSON.parse(body)
    return { operation: `${table}/${name}`, arguments: values }
  }
  const [operation = '', query = ''] = path.slice(1).split('?')
  const parameters = new URLSearchParams(query)
  const names = [...new Set(parameters.keys())]
  const values = names.map((name) => {
    const all = parameters.getAll(name)
    return [name, all.length === 1 ? (all[0] ?? '') : all] as const
  })
  return { operation, arguments: Object.fromEntries(values) }
}

const line = ({ operation, arguments: values }: Sent) => {
  const most = Math.max(1, ...Object.values(values).map((value) => (Array.isArray(value) ? value.length : 1)))
  return `${operation} ${most}`
}

/**
 * The number of round trips: the longest chain of calls, each of which began after the one before had ended.
 */
export function roundTrips(sent: readonly Sent[]): number {
  const depths: { readonly ended: number; readonly depth: number }[] = []
  for (const { began, ended } of sent.toSorted((a, b) => a.began - b.began)) {
    const before = depths.filter((one) => one.ended < began).map(({ depth }) => depth)
    depths.push({ ended, depth: 1 + Math.max(0, ...before) })
  }
  return Math.max(0, ...depths.map(({ depth }) => depth))
}
