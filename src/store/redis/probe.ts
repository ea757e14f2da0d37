/**
 * Stores Redis' secret if it has none, and returns it. A Redis that has one is not written to.
 * Keys: the secret. Values: the secret to store.
 */
export const secretScript = `
  redis.call('SET', KEYS[1], ARGV[1], 'NX')
  return redis.call('GET', KEYS[1])
`

/**
 * Does the same as `secretScript`. First it runs each command that the other scripts run, on names like
 * theirs, so that a Redis whose user may not do so is noticed before it is used. The commands on one key come
 * in an order in which each finds the type that it needs; nothing is left.
 * Keys: the secret, one name like those of the ledger, one like those of answers. Values: the secret to store.
 */
export const probeScript = `
  redis.call('TIME')
  for n = 2, #KEYS do
    local key = KEYS[n]
    redis.call('DEL', key)
    redis.call('EXISTS', key)
    redis.call('HSET', key, 'a', '1')
    redis.call('HGET', key, 'a')
    redis.call('HMGET', key, 'a')
    redis.call('HGETALL', key)
    redis.call('HSTRLEN', key, 'a')
    redis.call('HDEL', key, 'a')
    redis.call('ZADD', key, 1, 'a')
    redis.call('ZCARD', key)
    redis.call('ZSCORE', key, 'a')
    redis.call('ZCOUNT', key, 0, 1)
    redis.call('ZRANGE', key, 0, 0)
    redis.call('ZREVRANGE', key, 0, 0)
    redis.call('ZRANGEBYSCORE', key, 0, 1)
    redis.call('PEXPIRE', key, 1000)
    redis.call('ZREMRANGEBYSCORE', key, 2, 3)
    redis.call('ZREM', key, 'a')
    redis.call('SADD', key, 'a')
    redis.call('SCARD', key)
    redis.call('SREM', key, 'a')
    redis.call('INCRBY', key, 1)
    redis.call('DECRBY', key, 1)
    redis.call('DEL', key)
  end
  ${secretScript}
`
