import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Capabilities } from '../capabilities/capabilities.ts'
import { capabilitiesFile, keptCapabilities } from '../capabilities/file.ts'
import type { Config } from '../config.ts'
import { longestFresh } from '../rows/freshness.ts'
import { AnswerFile } from '../store/answers/answer-file.ts'
import { AnswerRedis } from '../store/answers/answer-redis.ts'
import { connectionOf } from './redis.ts'
import { openFault } from '../store/open-fault.ts'
import { evictionRisk } from '../store/redis/eviction.ts'
import type { RedisConnection } from '../store/redis/connection.ts'
import type { Upstream } from '../account/upstream.ts'
import type { AnswerStore } from '../account/answer-store.ts'
import { Estimates } from '../account/estimates.ts'
import { keepSizes, readSizes, SIZES_FILE } from '../account/sizes-file.ts'
import type { Replayed } from '../calls/tape/replaying.ts'

export const aloneBecause = (reason: string | null) =>
  `${reason} This instance works alone until Redis is back.${remedyOf(reason)}`

const remedyOf = (reason: string | null) =>
  reason?.includes('(NOPERM)')
    ? ' The user in REDIS_URL lacks rights: allow it all commands on names that begin with statline:1: (+@all ~statline:1:*).'
    : ''

const sharesAll = 'This instance shares what it buys.'
const sharesTokens = 'This instance shares its ledger and budgets, but no rows, because it records a tape.'

type RedisSettings = Pick<Config, 'redisUrl' | 'dataDir'> & Partial<Pick<Config, 'upstreamTape'>>

/** Connects to Redis in the background. An instance starts without it, too. */
export function redisOf(settings: RedisSettings): RedisConnection | null {
  const redis = connectionOf(settings)
  if (!redis) return null
  const warnOfRisk = riskWarning(redis)
  redis.onChange((reason) => {
    if (reason !== null) return console.warn(aloneBecause(reason))
    console.log(`Redis is connected. ${settings.upstreamTape ? sharesTokens : sharesAll}`)
    void warnOfRisk()
  })
  return redis
}

/** Warns of a risk once, until it is gone. Another Redis may have taken over, with settings of its own. */
function riskWarning(redis: RedisConnection): () => Promise<void> {
  let known: string | null = null
  return async () => {
    const risk = await evictionRisk(redis)
    if (risk !== null && risk !== known) console.warn(risk)
    known = risk
  }
}

/**
 * Where answers are stored beyond this process: in Redis, which instances share, or in a file. With a tape
 * nowhere, because the tape has all calls.
 */
export function answersOf(config: Config, redis: RedisConnection | null): AnswerStore | undefined {
  const { dataDir, freshFor, upstreamTape, upstreamUrl } = config
  if (upstreamTape) return undefined
  const keptFor = longestFresh(freshFor) + freshFor.staleIfError
  const service = upstreamUrl ?? 'embedded'
  if (redis) return new AnswerRedis(redis, { keptFor, service })
  const warn = (message: string) => console.warn(message)
  try {
    return new AnswerFile(dataDir, { clock: Date.now, keptFor, service, warn })
  } catch (error) {
    warn(
      `The rows in DATA_DIR (${dataDir}) cannot be written: ${openFault(error)}. They are kept in memory only.`,
    )
    return undefined
  }
}

/**
 * What is known about the service: what was when the tape that is replayed was recorded, else what the file
 * says. The embedded service is as specified.
 */
export function capabilitiesOf(
  { upstreamUrl: url, capabilities, dataDir }: Config,
  replayed: Replayed | null,
): Capabilities {
  if (replayed) return asRecorded(replayed)
  if (url === null) return new Capabilities(Date.now)
  const warn = (text: string) => console.warn(text)
  return capabilities === null
    ? keptCapabilities(capabilitiesFile(dataDir), url, Date.now, warn, 'DATA_DIR')
    : keptCapabilities(capabilities, url, Date.now, warn)
}

/** The findings of a tape. They do not expire, because the service on the tape stays as it was. */
function asRecorded({ beginning: { findings } }: Replayed): Capabilities {
  const latest = Math.max(0, ...Object.values(findings).map(({ at }) => at))
  return new Capabilities(() => latest, findings)
}

/**
 * The sizes learned before this start, or before the recording of the tape that is replayed. Prices are
 * estimated from them, and the file keeps them when it is next written.
 */
export function learnedOf({ dataDir }: Config, apiKey: string | null, replayed: Replayed | null) {
  const file = join(dataDir, SIZES_FILE)
  if (!replayed && existsSync(file) && readSizes(file) === null)
    console.warn(
      `The file ${file} is damaged, or of another version. The sizes of answers are learned again.`,
    )
  return (key: string): Estimates | undefined => {
    if (replayed) return replayed.beginning.sizes ? Estimates.from(replayed.beginning.sizes) : undefined
    return key === apiKey ? readSizes(file)?.estimates : undefined
  }
}

/**
 * Saves learned sizes for `statline price`, but not those of clients' own keys. What a replay learns, the
 * recording has saved.
 */
export const keepLearnedSizes = (
  { dataDir, upstreamTape }: Config,
  upstream: Upstream,
  apiKey: string | null,
): (() => void) =>
  apiKey === null || upstreamTape?.mode === 'replay'
    ? () => {}
    : keepSizes(join(dataDir, SIZES_FILE), () => upstream.findAccount(apiKey)?.estimates, Date.now)
