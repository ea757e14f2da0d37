import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/config.ts'

/** Values that each variable refuses; none if it takes any text. */
const bad: Readonly<Record<string, readonly string[]>> = {
  PORT: ['65536', '-1', 'http', '4000.5', '0x10'],
  ADMIN_PORT: ['65536', '-1', 'http', '4000'],
  HOST: [],
  UPSTREAM_URL: [
    'not an address',
    'ftp://host/v1',
    'localhost:4001',
    'http://a:b@host/v1',
    'http://host/v1?x=1',
    'http://host/#v1',
  ],
  UPSTREAM_API_KEY: ['two words', 'line\nbreak', 'schlüssel'],
  UPSTREAM_TIMEOUT_MS: ['0', 'soon', '-5'],
  UPSTREAM_BATCH_SIZE: ['0', 'many'],
  UPSTREAM_CONCURRENCY: ['0', 'many'],
  FRESH_LIVE: ['-1', '1.5', 'soon'],
  FRESH_CURRENT: ['-1', '5m'],
  FRESH_REFERENCE: ['-1', 'day'],
  STALE_IF_ERROR: ['-1', 'no'],
  UPSTREAM_MAX_BYTES: ['0', 'many'],
  MAX_SUBSCRIPTIONS: ['0', 'many'],
  MAX_SUBSCRIPTIONS_PER_CLIENT: ['0', 'many'],
  MAX_SUBSCRIPTIONS_PER_CONNECTION: ['0', 'many'],
  TRUSTED_PROXIES: ['nginx', '127.0.0.1/33', '10.0.0.0/x', '::1/129', '10.0.0', '*', '1.2.3.4/'],
  MONTHLY_TOKEN_BUDGET: ['-1', '1e3', 'much'],
  CLIENT_BUDGETS: [],
  UPSTREAM_TAPE: ['record', 'play:file', 'replay:'],
  MAX_TOKENS_PER_QUERY: ['-1', 'many', '1.5'],
  MAX_CALLS_PER_QUERY: ['0', 'many'],
  MAX_VALUES: ['0', 'many'],
  MAX_IDS: ['0', 'many'],
  MAX_ANSWER_BYTES: ['1023', 'many'],
  MAX_EXECUTION_MS: ['0', 'many'],
  DEFAULT_ORGANIZATION_ID: ['basketball', '42'],
  DEFAULT_DIVISION_ID: ['one', '42'],
  LEAGUE_TIME_ZONE: ['New York', 'ET/Eastern', '5'],
  CORS_ORIGINS: [],
  ALLOWED_HOSTS: ['http://host', 'host:80', 'host/v1'],
  DRAIN_SECONDS: ['-1', 'soon', '1.5'],
  LOG_LEVEL: ['loud'],
  TRUSTED_DOCUMENTS: [],
  TRUSTED_DOCUMENTS_ONLY: ['perhaps'],
  SERVICE_PORT: ['70000', 'x'],
  DATABASE_URL: ['mysql://host/db', 'nothing', 'postgres:host'],
  REDIS_URL: [
    'localhost:6379',
    'http://localhost:6379',
    'nothing',
    'redis://',
    'redis://host/first',
    'redis://host/0?x=1',
    'redis://:100%@host',
  ],
  DATA_DIR: [],
  CAPABILITIES: [],
}

/** The words of a line in alphabetical order. */
const sorted = (line: string) =>
  line
    .split(/[ ,.:]+/)
    .toSorted()
    .join(' ')

describe('the environment', () => {
  const cases = Object.entries(bad).flatMap(([name, values]) => values.map((value) => [name, value] as const))

  test.each(cases)('%s=%j stops the start with one line that names the variable', (name, value) => {
    const read = () => readConfig({ [name]: value })
    expect(read).toThrow(ConfigError)
    try {
      read()
    } catch (error) {
      const { message } = error as Error // just thrown
      expect(message).toContain(name)
      expect(message.split('\n')).toHaveLength(1)
    }
  })

  test('every variable that is read is known here', () => {
    const text = readFileSync(join(import.meta.dirname, '../../src/config.ts'), 'utf8')
    const names = [...text.matchAll(/'([A-Z]+(?:_[A-Z]+)*)'/g)].map(([, name = '']) => name)
    expect([...new Set(names)].filter((name) => !Object.hasOwn(bad, name))).toEqual([])
  })

  test('a variable that is empty counts as unset', () => {
    const empty = Object.fromEntries(Object.keys(bad).map((name) => [name, ' ']))
    const warnings = [`Empty, which counts as not set: ${Object.keys(bad).join(', ')}.`]
    const { warnings: told, ...read } = readConfig(empty)
    expect({ ...read, warnings: [] }).toEqual(readConfig({}))
    expect(told.map(sorted)).toEqual(warnings.map(sorted))
  })

  test('the address of a database is taken as it stands, that of a service without slashes at its end', () => {
    const read = readConfig({ DATABASE_URL: 'postgres://', UPSTREAM_URL: 'http://host/v1//' })
    expect([read.databaseUrl, read.upstreamUrl]).toEqual(['postgres://', 'http://host/v1'])
  })

  test('an address of the service without a version is a warning, because every operation would be unknown', () => {
    const warningsOf = (url: string) => readConfig({ UPSTREAM_URL: url }).warnings
    expect(warningsOf('https://service.test')).toEqual([
      expect.stringMatching(/^UPSTREAM_URL has no version/),
    ])
    expect(warningsOf('https://service.test/stats')).toHaveLength(1)
    for (const url of [
      'https://service.test/v1',
      'http://proxy.test/stats/v2/',
      'https://service.test/v1/us',
    ])
      expect(warningsOf(url)).toEqual([])
  })

  test('hosts are listed by name or address, and * is every host', () => {
    const hosts = (text: string) => readConfig({ ALLOWED_HOSTS: text }).allowedHosts
    expect(hosts('stats.example.com, 192.0.2.7 [2001:db8::7]')).toEqual([
      'stats.example.com',
      '192.0.2.7',
      '[2001:db8::7]',
    ])
    expect([hosts('*'), hosts('a, *'), hosts('')]).toEqual(['*', '*', null])
  })

  test.each([
    ['MONTHLY_TOKEN_BUDGT', 'MONTHLY_TOKEN_BUDGET'],
    ['MONTHLY_BUDGET', 'MONTHLY_TOKEN_BUDGET'],
    ['MONTHLY_LIMIT', 'MONTHLY_TOKEN_BUDGET'],
    ['UPSTREAM_ULR', 'UPSTREAM_URL'],
    ['UPSTREAM_KEY', 'UPSTREAM_API_KEY'],
    ['API_KEY', 'UPSTREAM_API_KEY'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['ALLOWED_HOST', 'ALLOWED_HOSTS'],
    ['DEFAULT_ORG_ID', 'DEFAULT_ORGANIZATION_ID'],
    ['DATADIR', 'DATA_DIR'],
    ['PROT', 'PORT'],
    ['STATLINE_PORT', 'PORT'],
    ['STATLINE_MONTHLY_BUDGET', 'MONTHLY_TOKEN_BUDGET'],
  ])('%s is warned of, for it looks like %s', (name, closest) => {
    const { warnings } = readConfig({ [name]: '1' })
    expect(warnings).toEqual([`The variable ${name} is unknown and has no effect. Is ${closest} meant?`])
  })

  test('nothing is said of variables of other programs', () => {
    const others =
      'PATH HOME USER LANG TERM PWD SHELL SHLVL EDITOR HOSTNAME NODE_ENV NODE_OPTIONS TMPDIR DISPLAY COLOR CI ' +
      'PGHOST PGPORT OPENAI_API_KEY AWS_DEFAULT_REGION KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT_HTTPS ' +
      'STATLINE_SERVICE_HOST STATLINE_SERVICE_PORT STATLINE_PORT STATLINE_PORT_4000_TCP XDG_DATA_DIRS npm_config_port npm_package_name _ no_proxy'
    const known = Object.keys(bad).filter((name) => bad[name]?.length === 0)
    const environment = Object.fromEntries([...others.split(' '), ...known].map((name) => [name, '*']))
    expect(readConfig(environment).warnings).toEqual([])
  })

  test.each([
    ['HTTPS_PROXY', 'https://service.test/v1', '', 'HTTPS_PROXY'],
    ['https_proxy', 'https://service.test/v1', 'other.test', 'HTTPS_PROXY'],
    ['HTTP_PROXY', 'http://service.test/v1', '', 'HTTP_PROXY'],
    ['ALL_PROXY', 'http://service.test/v1', '', 'ALL_PROXY'],
    ['HTTP_PROXY', 'https://service.test/v1', '', null],
    ['HTTPS_PROXY', 'https://service.test/v1', 'a.test, .service.test', null],
    ['HTTPS_PROXY', 'https://api.service.test/v1', 'service.test', null],
    ['HTTPS_PROXY', 'https://service.test/v1', '*', null],
  ])('%s for %s without %j is named if it has no effect: %s', (name, url, exempt, told) => {
    const read = readConfig({ [name]: 'http://proxy.test:3128', NO_PROXY: exempt, UPSTREAM_URL: url })
    const line = `${told} has no effect: Statline connects to UPSTREAM_URL directly.`
    expect(read.warnings).toEqual(told === null ? [] : [expect.stringContaining(line)])
  })

  test('a password in an address is not told', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://user:hunter2@host/db' })).toThrow(/^(?!.*hunter2)/)
  })
})
