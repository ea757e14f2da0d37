import { execute } from 'graphql'
import type { ExecutionArgs, ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { compiledQuery } from '../graph/execution/document.ts'
import { executeQuery } from '../graph/execution/execute.ts'

/** Executes queries breadth-first; what the compiler does not support is executed by GraphQL's own executor. */
export function useExecution(): Plugin {
  return {
    onExecute({ setExecuteFn }) {
      setExecuteFn(executeAny)
    },
  }
}

/** Executes a query by its compiled plan, or any operation by GraphQL's own executor. */
export function executeAny(args: ExecutionArgs): ExecutionResult | Promise<ExecutionResult> {
  const { schema, document, operationName, contextValue: context, rootValue } = args
  const query = compiledQuery(schema, document, operationName)
  if (!query) return execute(args)
  const { coerced: variables, errors } = query.variables(args.variableValues ?? {})
  if (!variables) return { errors }
  return executeQuery({ schema, query, variables, context, rootValue })
}
