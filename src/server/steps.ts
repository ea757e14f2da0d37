import type { DocumentNode, ExecutionArgs, ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql'
import type { GraphQLParams } from 'graphql-yoga'
import type { ExecutionContext } from '../graph/execution/context.ts'
import { mask } from './errors.ts'
import { noteOutcome } from './log-line.ts'
import type { Line } from './log-line.ts'
import { mapped } from './mapped-stream.ts'
import { operationNameOf } from './operation-name.ts'
import type { RequestLog } from './request-log.ts'
import { billed, settled } from './usage.ts'

export type Stream = AsyncIterableIterator<ExecutionResult, undefined>
export type Executed = ExecutionResult | Stream

/**
 * GraphQL's functions with all plugins applied, for an operation that does not come through Yoga's HTTP
 * layer.
 */
export interface Steps {
  readonly schema: GraphQLSchema
  parse(text: string): DocumentNode
  validate(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[]
  contextFactory(): ExecutionContext | Promise<ExecutionContext>
  execute(args: ExecutionArgs): Executed | Promise<Executed>
  subscribe(args: ExecutionArgs): Executed | Promise<Executed>
}

/** Makes the steps; `initial` stands for the HTTP request. */
export type StepsOf = (initial: object) => Steps

/**
 * Runs an operation, adds the bill to its results, and notes it in its line of the log, which is written when
 * it is over.
 */
export async function metered(
  args: ExecutionArgs,
  params: GraphQLParams,
  line: Line,
  step: (args: ExecutionArgs) => Executed | Promise<Executed>,
  log: RequestLog | undefined,
): Promise<Executed> {
  const { clientRequest } = args.contextValue as ExecutionContext // the context of every operation of this schema
  line.operation = operationNameOf(args.document, args.operationName)
  log?.begin(line, clientRequest)
  const onEnd = () => log?.write(line)
  const bill = async (result: ExecutionResult) => {
    noteOutcome(line, result)
    await settled(clientRequest)
    return billed(result, clientRequest, params)
  }
  const result = await step(args)
  if (!(Symbol.asyncIterator in result)) return bill(result).finally(onEnd)
  line.events = 0
  const count = (event: ExecutionResult) => {
    line.events = (line.events ?? 0) + 1
    return bill(event)
  }
  return mapped(new WithErrors(result), count, { onEnd })
}

/**
 * The events of a stream. An error becomes the last event, because a connection that carries several streams
 * must not end with one of them.
 */
class WithErrors implements Stream {
  readonly #stream: Stream

  constructor(stream: Stream) {
    this.#stream = stream
  }

  next(): Promise<IteratorResult<ExecutionResult, undefined>> {
    return this.#stream
      .next()
      .catch((error: unknown) => ({ done: false, value: { data: null, errors: [mask(error)] } }))
  }

  async return(): Promise<IteratorResult<ExecutionResult, undefined>> {
    return (await this.#stream.return?.()) ?? { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
