import { script } from './script.ts'
import type { RedisConnection } from './connection.ts'

/** Many users may not ask for INFO. A refused command of its own would count as a Redis that is away. */
const memoryScript = script(`
  local told = redis.pcall('INFO', 'memory')
  return type(told) == 'string' and told or ''
`)

/**
 * Why Redis may lose the ledger: it evicts any key when its memory is full, not only those that expire. Null
 * if it does not, or does not tell.
 */
export async function evictionRisk(redis: RedisConnection): Promise<string | null> {
  const text = await redis.run(memoryScript, [], []).then(String, () => '')
  const valueOf = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(text)?.[1] ?? ''
  const policy = valueOf('maxmemory_policy')
  if (!policy.startsWith('allkeys') || valueOf('maxmemory') === '0') return null
  return `Redis has the maxmemory-policy ${policy}: when it is full, it may evict the ledger, and budgets begin anew. Set it to noeviction or volatile-lru.`
}
