import { execute, GraphQLError } from 'graphql'
import type { ExecutionArgs, ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Context } from '../graph/context.ts'
import { Answer, refusedBy } from '../graph/execution/answer.ts'
import { compiledQuery } from '../graph/execution/document.ts'
import { executeQuery } from '../graph/execution/execute.ts'
import { andThen } from '../loading/maybe-promise.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import { operationNameOf, unprocessable } from './operation-name.ts'
import { refusal } from './query-price.ts'

/** Executes queries breadth-first. */
export function useExecution(): Plugin<Context> {
  return {
    onExecute({ setExecuteFn }) {
      setExecuteFn(executeAny)
    },
    onSubscribe({ args }) {
      noteOperation(args.contextValue.clientRequest, args)
    },
  }
}

/** Notes the name of the operation that a request spends for. */
function noteOperation(client: Context['clientRequest'], { document, operationName }: ExecutionArgs): void {
  client.operation = operationNameOf(document, operationName) ?? client.operation
}

/** Executes an operation unless its own token limit refuses it. */
export function executeAny(args: ExecutionArgs): MaybePromise<ExecutionResult> {
  return andThen(answerAny(args), resultOf)
}

/** As `executeAny`, but what was executed by its compiled plan is not printed yet. */
export function answerAny(args: ExecutionArgs): MaybePromise<Answer | ExecutionResult> {
  const { clientRequest } = args.contextValue as Context // the context of every query of this schema
  noteOperation(clientRequest, args)
  if (clientRequest.allowance.limits.maxTokens === null) return run(args)
  return refusal(args, executeWithoutData).then((refused) => refused ?? run(args))
}

/** Executes an operation of which only the errors are read. It has no limits. */
export const executeWithoutData = (args: ExecutionArgs): MaybePromise<ExecutionResult> =>
  andThen(run(args), (answer) =>
    answer instanceof Answer ? { data: null, ...(answer.errors && { errors: answer.errors }) } : answer,
  )

/** Executes an operation, or an event of a subscription, whose price is no matter. */
export const executeUnpriced = (args: ExecutionArgs): MaybePromise<ExecutionResult> =>
  andThen(run(args), resultOf)

/** The result, or its refusal if data and errors would have too many bytes. */
async function resultOf(answer: Answer | ExecutionResult): Promise<ExecutionResult> {
  if (!(answer instanceof Answer)) return answer
  try {
    return await printedResult(answer)
  } catch (error) {
    return printedResult(refusedBy(error))
  }
}

async function printedResult(answer: Answer): Promise<PrintedResult> {
  const { errors, isNull } = answer
  const before = errors ? JSON.stringify(errors) : ''
  const bytes = await answer.bytes(before)
  const data = isNull ? null : new PrintedData(bytes.toString('utf8', Buffer.byteLength(before)))
  return { ...(errors && { errors }), data, stringify: jsonOf }
}

/** The data of a result as JSON: printed once, however many subscribers it is sent to. */
class PrintedData {
  /** As GraphQL types the data of any result. */
  readonly [name: string]: unknown
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

/** A result that Yoga prints by its own `stringify`. */
interface PrintedResult extends ExecutionResult {
  readonly data: PrintedData | null
  readonly stringify: typeof jsonOf
}

/** A result as JSON. */
export function jsonOf({ errors, data, extensions }: ExecutionResult): string {
  const parts: string[] = []
  if (errors) parts.push(`"errors":${JSON.stringify(errors)}`)
  if (data !== undefined)
    parts.push(`"data":${data instanceof PrintedData ? data.json : JSON.stringify(data)}`)
  if (extensions) parts.push(`"extensions":${JSON.stringify(extensions)}`)
  return `{${parts.join(',')}}`
}

/** The errors of variables that do not fit; null if all do. */
export function faultsOfVariables(args: ExecutionArgs): readonly GraphQLError[] | null {
  const query = compiledQuery(args.schema, args.document, args.operationName)
  return query?.variables(args.variableValues ?? {}).errors?.map(refusedVariable) ?? null
}

const refusedVariable = ({ message, nodes }: GraphQLError) =>
  new GraphQLError(message, { nodes, extensions: { code: 'BAD_USER_INPUT', http: unprocessable } })

/** Executes an operation by its compiled plan. GraphQL's own executor refuses one that the schema does not have. */
function run(args: ExecutionArgs): MaybePromise<Answer | ExecutionResult> {
  const { schema, document, operationName, contextValue: context, rootValue } = args
  const query = compiledQuery(schema, document, operationName)
  if (!query) return execute(args)
  const { coerced: variables, errors } = query.variables(args.variableValues ?? {})
  if (!variables) return { errors: errors.map(refusedVariable) }
  return executeQuery({ schema, query, variables, context, rootValue })
}
