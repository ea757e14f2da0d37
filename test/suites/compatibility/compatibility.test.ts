import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { missing as withoutGateway } from '../../federation/packages.ts'
import { installSuite } from '../../suite.ts'
import { startProducts, startPublished, startRouter } from './supergraph.ts'

const here = import.meta.dirname
const missing = withoutGateway ?? (await installSuite(here))
const suite = join(here, 'node_modules/@apollo/federation-subgraph-compatibility-tests')
const require = createRequire(join(suite, 'package.json'))

/** The parts of the suite. Each assertion is a group of its tests, or a test of that name. */
const assertions = missing ? [] : namesOf(require('./dist/testRunner.js'))

function namesOf({ TESTS }: { TESTS: readonly { readonly assertion: string }[] }): string[] {
  return TESTS.map(({ assertion }) => assertion)
}

interface Tested {
  readonly ancestorTitles: readonly string[]
  readonly fullName: string
  readonly status: string
  readonly failureMessages: readonly string[]
}

/** The suite’s own tests, run as they were published; what each said. */
async function runPublished(env: Record<string, string>): Promise<readonly Tested[]> {
  const jest = join(dirname(require.resolve('jest/package.json')), 'bin/jest.js')
  const args = [jest, '--ci', '--json', '--runInBand', '--config', join(here, 'jest.config.cjs')]
  const options = { cwd: here, env: { ...process.env, NODE_ENV: 'test', ...env }, maxBuffer: 1e8 }
  const printed = await new Promise<string>((done) => {
    execFile(process.execPath, args, options, (_error, stdout) => done(stdout))
  })
  const { testResults } = JSON.parse(printed) as {
    testResults: readonly { assertionResults: readonly Tested[] }[]
  } // as `jest --json` prints it
  return testResults.flatMap(({ assertionResults }) => assertionResults)
}

describe.skipIf(missing)(
  `Apollo’s subgraph compatibility suite${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    const running: { close(): Promise<unknown> }[] = []
    let tested: readonly Tested[] = []

    beforeAll(async () => {
      const [products, users, inventory] = await Promise.all([
        startProducts(readFileSync(join(suite, 'products.graphql'), 'utf8')),
        startPublished(suite, 'users'),
        startPublished(suite, 'inventory'),
      ])
      running.push(products, users, inventory)
      const router = await startRouter({ products: products.url, users: users.url, inventory: inventory.url })
      running.push(router)
      tested = await runPublished({ PRODUCTS_URL: products.url, ROUTER_URL: router.url })
    })
    afterAll(() => Promise.all(running.map((one) => one.close())))

    const testsOf = (assertion: string) =>
      tested.filter(({ ancestorTitles: [group], fullName }) => (group ?? fullName) === assertion)

    it.each(assertions)('holds: %s', (assertion) => {
      const tests = testsOf(assertion)
      expect(tests.length).toBeGreaterThan(0)
      expect(tests.filter(({ status }) => status !== 'passed')).toEqual([])
    })

    it('is held whole', () => {
      expect(tested.filter(({ status }) => status !== 'passed')).toEqual([])
      expect(tested).toHaveLength(23)
    })
  },
)
