import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { noClientBudgets } from '../../src/money/client-budgets.ts'
import { openSpending } from '../../src/start/spending-notes.ts'

const service = { UPSTREAM_URL: 'https://service.test/v1', UPSTREAM_API_KEY: 'key' }
const told = (environment: Record<string, string | undefined>, budgets = noClientBudgets) =>
  openSpending(readConfig(environment), budgets)

test.each([
  { HOST: '0.0.0.0' },
  { HOST: '::' },
  { HOST: '10.0.0.1' },
  { ALLOWED_HOSTS: 'stats.example.com' },
  { ALLOWED_HOSTS: '*' },
])('a server that others reach with one key and no limit is warned of, with what limits it: %j', (open) => {
  const warning = told({ ...service, ...open })
  expect(warning).toMatch(/any number of tokens with UPSTREAM_API_KEY.* up to 1000 calls/)
  for (const name of ['MONTHLY_TOKEN_BUDGET', 'CLIENT_BUDGETS', 'MAX_TOKENS_PER_QUERY'])
    expect(warning).toContain(name)
  for (const limit of [
    { MONTHLY_TOKEN_BUDGET: '9' },
    { MAX_TOKENS_PER_QUERY: '9' },
    { UPSTREAM_API_KEY: '' },
  ])
    expect(told({ ...service, ...open, ...limit })).toBeNull()
  expect(told({ ...service, ...open }, new Map([['*', 5]]))).toBeNull()
  expect(told(open)).toBeNull()
})

test.each([
  {},
  { HOST: 'localhost' },
  { HOST: '127.0.0.2' },
  { HOST: '::1' },
  { ALLOWED_HOSTS: 'localhost' },
])('a server of this machine alone is not warned of: %j', (local) =>
  expect(told({ ...service, ...local })).toBeNull(),
)
