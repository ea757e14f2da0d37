import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { misspelled } from './misspelled.ts'
import { unusedProxy } from './proxy-variables.ts'
import type { Limits } from './money/allowance.ts'
import type { FreshFor } from './rows/freshness.ts'
import { defaultFreshFor } from './rows/freshness.ts'
import { defaultTimeZone } from './rows/league-days.ts'

/** The settings that the environment gives. */
export interface Config {
  readonly port: number
  readonly host: string
  /** The port for operators; null if they use `port`. */
  readonly adminPort: number | null
  /** The service's base address, `/v1` included; null for the embedded service. */
  readonly upstreamUrl: string | null
  /** The key of all calls; null if each client brings its own. */
  readonly upstreamApiKey: string | null
  readonly upstreamTimeoutMs: number
  /** Maximum ids in one upstream call. */
  readonly upstreamBatchSize: number
  /** Maximum parallel upstream calls of one key. */
  readonly upstreamConcurrency: number
  /** Maximum bytes of one answer of the service; null for a share of the heap. */
  readonly upstreamMaxBytes: number | null
  /** A tape of the service's answers; null for none. */
  readonly upstreamTape: { readonly mode: 'record' | 'replay'; readonly file: string } | null
  /** The file with what is known about the service; null for the one in `dataDir`. */
  readonly capabilities: string | null
  readonly monthlyTokenBudget: number | null
  /** A JSON file of monthly tokens by client name; null for none. */
  readonly clientBudgets: string | null
  /** The limits of one request. */
  readonly queryLimits: Limits
  /** What one execution may use, by the names of the variables. */
  readonly executionLimits: {
    readonly MAX_VALUES: number
    readonly MAX_IDS: number
    readonly MAX_ANSWER_BYTES: number
    readonly MAX_EXECUTION_MS: number
  }
  /** Maximum open subscriptions, of one client, in total, and on one connection. */
  readonly subscriptionLimits: {
    readonly perClient: number
    readonly inTotal: number
    readonly perConnection: number
  }
  /** Addresses, and ranges of them, whose `X-Forwarded-For` names the client. */
  readonly trustedProxies: readonly string[]
  /** How long rows are served. */
  readonly freshFor: FreshFor
  readonly defaultOrganizationId: string | null
  readonly defaultDivisionId: string | null
  /** The time zone of the league's days. */
  readonly leagueTimeZone: string
  /** Web pages that may send queries: named origins, all by `*`, or those of this machine. */
  readonly corsOrigins: readonly string[] | 'local'
  /** Names that requests may use for this host; `*`: every name; null: local names and `HOST`. */
  readonly allowedHosts: readonly string[] | '*' | null
  /** Seconds after SIGTERM in which requests are still served. */
  readonly drainSeconds: number
  readonly logLevel: LogLevel
  /** A manifest of documents that clients name by their hash; null for none. */
  readonly trustedDocuments: string | null
  readonly trustedDocumentsOnly: boolean
  readonly servicePort: number
  readonly databaseUrl: string | null
  /** The Redis that instances share; null for none. */
  readonly redisUrl: string | null
  /** The folder of the embedded databases. */
  readonly dataDir: string
  /** A warning for each unknown variable that looks like a misspelled one, and for an address without version. */
  readonly warnings: readonly string[]
}

/** A variable has an invalid value. The message is one line that names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

type Environment = Readonly<Record<string, string | undefined>>

/** In seconds. */
const year = 365 * 86_400

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Reads the environment. Throws ConfigError. An empty variable counts as unset. */
export function readConfig(environment: Environment = process.env): Config {
  const names = new Set<string>()
  const empty = new Set<string>()
  function variable(name: string): string | undefined {
    names.add(name)
    if (environment[name]?.trim() === '') empty.add(name)
    return environment[name]?.trim() || undefined
  }

  function integer(name: string, least: number, most: number, fallback: number): number
  function integer(name: string, least: number, most: number, fallback: null): number | null
  function integer(name: string, least: number, most: number, fallback: number | null): number | null {
    const text = variable(name)
    if (text === undefined) return fallback
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new ConfigError(
      `${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}.`,
    )
  }

  function url(name: string, protocols: readonly string[]): string | null {
    const text = variable(name)
    if (text === undefined) return null
    if (URL.canParse(text) && protocols.some((one) => text.startsWith(`${one}//`))) return text
    // An address may contain a password, so the message leaves the value out.
    throw new ConfigError(
      `${name} must be an address that begins with ${protocols.map((one) => `${one}//`).join(' or ')}.`,
    )
  }

  function id(name: string): string | null {
    const text = variable(name)
    if (text === undefined || uuid.test(text)) return text?.toLowerCase() ?? null
    throw new ConfigError(`${name} must be a UUID, not ${JSON.stringify(text)}.`)
  }

  function timeZone(name: string): string {
    const text = variable(name) ?? defaultTimeZone
    try {
      return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
    } catch {
      throw new ConfigError(
        `${name} must be a time zone such as America/New_York, not ${JSON.stringify(text)}.`,
      )
    }
  }

  function oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
    const text = variable(name)
    if (text === undefined) return fallback
    const value = values.find((one) => one === text)
    if (value !== undefined) return value
    throw new ConfigError(`${name} must be one of ${values.join(', ')}, not ${JSON.stringify(text)}.`)
  }

  function origins(name: string): readonly string[] | 'local' {
    const list = variable(name)?.split(/[\s,]+/)
    const bad = list?.find((one) => one !== '*' && !(URL.canParse(one) && new URL(one).origin === one))
    if (bad === undefined) return list ?? 'local'
    throw new ConfigError(
      `${name} must list origins such as https://example.com, or *; not ${JSON.stringify(bad)}.`,
    )
  }

  function tape(name: string): Config['upstreamTape'] {
    const text = variable(name)
    if (text === undefined) return null
    const [, mode, file] = /^(record|replay):(.+)$/.exec(text) ?? []
    if (file !== undefined) return { mode: mode === 'record' ? 'record' : 'replay', file }
    throw new ConfigError(`${name} must be record:FILE or replay:FILE, not ${JSON.stringify(text)}.`)
  }

  function proxies(name: string): readonly string[] {
    const list = variable(name)?.split(/[\s,]+/) ?? []
    const bad = list.find((one) => !isAddressRange(one))
    if (bad === undefined) return list
    throw new ConfigError(
      `${name} must list addresses such as 127.0.0.1 or 10.0.0.0/8, not ${JSON.stringify(bad)}.`,
    )
  }

  function hosts(name: string): readonly string[] | '*' | null {
    const list = variable(name)?.split(/[\s,]+/)
    if (list === undefined) return null
    if (list.includes('*')) return '*'
    const bad = list.find((one) => !isHostName(one))
    if (bad === undefined) return list
    throw new ConfigError(
      `${name} must list host names such as stats.example.com, without port, or *; not ${JSON.stringify(bad)}.`,
    )
  }

  /** Operations are addresses below it, so it has no query; and the key is the only credential. */
  function base(name: string): string | null {
    const text = url(name, ['http:', 'https:'])
    if (text === null) return null
    const { username, password, search, hash } = new URL(text)
    if (username + password + search + hash === '') return text.replace(/\/+$/, '')
    throw new ConfigError(`${name} must be an address without user name, password, query or fragment.`)
  }

  /** The client would throw a stack at a path that is no number, or at a password that is not encoded. */
  function redis(name: string): string | null {
    const text = url(name, ['redis:', 'rediss:'])
    if (text === null) return null
    const { hostname, pathname, search, hash } = new URL(text)
    if (hostname !== '' && /^(\/\d*)?$/.test(pathname) && search + hash === '' && isEncoded(text)) return text
    throw new ConfigError(
      `${name} must be an address such as redis://user:password@host:6379/0. The last number is the database; encode special characters of the password.`,
    )
  }

  /** Given in seconds, returned in milliseconds. */
  const seconds = (name: string, fallback: number) => 1_000 * integer(name, 0, year, fallback / 1_000)

  const port = (name: string, fallback: number) => integer(name, 0, 65_535, fallback)
  const config = {
    port: port('PORT', 4000),
    host: variable('HOST') ?? '127.0.0.1',
    adminPort: integer('ADMIN_PORT', 0, 65_535, null),
    upstreamUrl: base('UPSTREAM_URL'),
    upstreamApiKey: headerValue('UPSTREAM_API_KEY', variable('UPSTREAM_API_KEY')),
    upstreamTimeoutMs: integer('UPSTREAM_TIMEOUT_MS', 1, 600_000, 10_000),
    upstreamBatchSize: integer('UPSTREAM_BATCH_SIZE', 1, 10_000, 500),
    upstreamConcurrency: integer('UPSTREAM_CONCURRENCY', 1, 1_000, 32),
    upstreamMaxBytes: integer('UPSTREAM_MAX_BYTES', 1_024, 1_073_741_824, null),
    upstreamTape: tape('UPSTREAM_TAPE'),
    capabilities: variable('CAPABILITIES') ?? null,
    monthlyTokenBudget: integer('MONTHLY_TOKEN_BUDGET', 0, Number.MAX_SAFE_INTEGER, null),
    clientBudgets: variable('CLIENT_BUDGETS') ?? null,
    queryLimits: {
      maxTokens: integer('MAX_TOKENS_PER_QUERY', 0, Number.MAX_SAFE_INTEGER, null),
      maxCalls: integer('MAX_CALLS_PER_QUERY', 1, Number.MAX_SAFE_INTEGER, 1_000),
    },
    executionLimits: {
      MAX_VALUES: integer('MAX_VALUES', 1, 1_000_000_000, 500_000),
      MAX_IDS: integer('MAX_IDS', 1, 1_000_000, 2_000),
      MAX_ANSWER_BYTES: integer('MAX_ANSWER_BYTES', 1_024, 1_073_741_824, 16_777_216),
      MAX_EXECUTION_MS: integer('MAX_EXECUTION_MS', 1, 600_000, 1_500),
    },
    subscriptionLimits: {
      perClient: integer('MAX_SUBSCRIPTIONS_PER_CLIENT', 1, 1_000_000, 200),
      inTotal: integer('MAX_SUBSCRIPTIONS', 1, 1_000_000, 1_000),
      perConnection: integer('MAX_SUBSCRIPTIONS_PER_CONNECTION', 1, 1_000_000, 100),
    },
    freshFor: Object.freeze({
      live: seconds('FRESH_LIVE', defaultFreshFor.live),
      current: seconds('FRESH_CURRENT', defaultFreshFor.current),
      reference: seconds('FRESH_REFERENCE', defaultFreshFor.reference),
      staleIfError: seconds('STALE_IF_ERROR', defaultFreshFor.staleIfError),
    }),
    defaultOrganizationId: id('DEFAULT_ORGANIZATION_ID'),
    defaultDivisionId: id('DEFAULT_DIVISION_ID'),
    leagueTimeZone: timeZone('LEAGUE_TIME_ZONE'),
    corsOrigins: origins('CORS_ORIGINS'),
    allowedHosts: hosts('ALLOWED_HOSTS'),
    trustedProxies: proxies('TRUSTED_PROXIES'),
    drainSeconds: integer('DRAIN_SECONDS', 0, 3_600, 2),
    logLevel: oneOf('LOG_LEVEL', logLevels, 'info'),
    trustedDocuments: variable('TRUSTED_DOCUMENTS') ?? null,
    trustedDocumentsOnly: oneOf('TRUSTED_DOCUMENTS_ONLY', ['0', '1'], '0') === '1',
    servicePort: port('SERVICE_PORT', 4001),
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    redisUrl: redis('REDIS_URL'),
    dataDir: resolve(variable('DATA_DIR') ?? '.statline'),
  }
  if (config.adminPort !== null && config.adminPort !== 0 && config.adminPort === config.port)
    throw new ConfigError('ADMIN_PORT must differ from PORT: it is for operators alone.')
  const warnings = [...misspelled(Object.keys(environment), names), ...withoutVersion(config.upstreamUrl)]
  warnings.push(...countedAsUnset([...empty]), ...unusedProxy(environment, config.upstreamUrl))
  return Object.freeze({ ...config, warnings })
}

/** A warning if variables are given as empty text. */
const countedAsUnset = (names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`Empty, which counts as not set: ${names.join(', ')}.`]

/** A warning if the service's address has no version. Every operation would be one that the service does not have. */
const withoutVersion = (url: string | null): readonly string[] =>
  url === null || /\/v\d+\b/.test(new URL(url).pathname)
    ? []
    : ['UPSTREAM_URL has no version: the base address of the service includes it, such as https://…/v1.']

/** Whether each % begins an encoded character. */
function isEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== ''
  } catch {
    return false
  }
}

/** A name or an address; IPv6 with or without brackets. */
const isHostName = (text: string) =>
  isIP(text.replace(/^\[(.*)\]$/, '$1')) !== 0 || /^[a-z\d_]([a-z\d_.-]*[a-z\d])?\.?$/i.test(text)

/** An address, or a range of addresses such as `10.0.0.0/8`. */
function isAddressRange(text: string): boolean {
  const [, address = '', bits = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const family = isIP(address)
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128)
}

function headerValue(name: string, text: string | undefined): string | null {
  if (text === undefined || /^[\x21-\x7e]+$/.test(text)) return text ?? null
  throw new ConfigError(`${name} must be printable characters without spaces.`)
}
