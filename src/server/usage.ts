import type { Plugin } from 'graphql-yoga'
import type { Context } from '../graph/builder.ts'
import type { ServerContext } from './app.ts'

const nothing = { tokens: 0, bytes: 0, calls: 0, cacheHits: 0 }

/** Adds `extensions.usage` to every response, and `extensions.plan` where the request asks for it with `explain`. */
export function useUsage(): Plugin<ServerContext & Partial<Context>> {
  return {
    onExecute({ args }) {
      const { client, params } = args.contextValue
      return {
        onExecuteDone({ result, setResult }) {
          if (!client || Symbol.asyncIterator in result) return
          const plan = params?.extensions?.['explain'] === true ? { plan: client.plan } : {}
          setResult({ ...result, extensions: { ...result.extensions, usage: client.usage, ...plan } })
        },
      }
    },
    onSubscribe({ args }) {
      const { client, params } = args.contextValue
      const explained = params?.extensions?.['explain'] === true
      return {
        onSubscribeResult: () => ({
          onNext({ result, setResult }) {
            if (!client) return
            const plan = explained ? { plan: [...client.plan] } : {}
            setResult({
              ...result,
              extensions: { ...result.extensions, usage: client.takeUsage(), ...plan },
            })
          },
        }),
      }
    },
    onResultProcess({ result, setResult }) {
      // A query that never ran has cost nothing, and says so too.
      if (Array.isArray(result) || Symbol.asyncIterator in result || result.extensions?.['usage']) return
      setResult({ ...result, extensions: { ...result.extensions, usage: nothing } })
    },
  }
}
