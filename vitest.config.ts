import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { allSuites } from './test/all-suites.ts'
import { LongestFirst } from './test/sequence.ts'
import { Times } from './test/times/reporter.ts'
import { longest, patience } from './test/patience.ts'
import { unit } from './test/unit.ts'

/**
 * What takes longest, apart from `npm test`, which stays quick: `npm run suites`. Most install heavy packages
 * of their own to see Statline as others do, others kill processes many times or try a thousand orders of
 * events.
 */
const suites = [
  ...['federation', 'outside', 'suites'].map((folder) => `test/${folder}/**/*.test.ts`),
  'test/browser/suites/*.test.ts',
  'test/browser/game-page.test.ts',
  'test/browser/graphiql.test.ts',
  'test/browser/scoreboard.test.ts',
  'test/browser/statistics-pages.test.ts',
  'test/client/many-components.test.ts',
  'test/client/moved-games.test.ts',
  'test/client/tarball.test.ts',
  'test/commands/statline.test.ts',
  'test/graph/asked-together.test.ts',
  'test/graph/eviction.test.ts',
  'test/graph/outage.test.ts',
  'test/graph/seasons.test.ts',
  'test/hostile/hostile.test.ts',
  'test/memory/memory.test.ts',
  'test/server/disk-full.test.ts',
  'test/server/ledger-kill.test.ts',
  'test/server/slow-clients.test.ts',
  'test/server/slow-sockets.test.ts',
  'test/service/import/basketball.test.ts',
  'test/service/import/csv-real-season.test.ts',
  'test/service/import/football.test.ts',
  'test/service/kill.test.ts',
  'test/service/league/seasons.test.ts',
  'test/service/one-postgres.test.ts',
  'test/service/sample/live.test.ts',
  'test/start/cannot-start.test.ts',
  'test/start/kept-data.test.ts',
  'test/start/start.test.ts',
  'test/start/stop.test.ts',
  'test/start/tapes.test.ts',
  'test/start/unreachable.test.ts',
  'test/store/history.test.ts',
  'test/store/isolation.test.ts',
]

/**
 * Suites in which Redis is stopped, frozen, cut off or emptied. They mostly wait, so they run beside each other, but
 * not beside browsers and compilers, which would make every reply late.
 */
const faults = [
  'test/store/answers/bought-once.test.ts',
  'test/store/answers/evicted.test.ts',
  'test/store/ledger/changed-budgets.test.ts',
  'test/store/ledger/idle-instance.test.ts',
  'test/store/ledger/joins-again.test.ts',
  'test/store/ledger/left-batches.test.ts',
  'test/store/ledger/lost-batches.test.ts',
  'test/store/ledger/lost-data.test.ts',
  'test/store/ledger/outbox-full.test.ts',
  'test/store/ledger/redis-ledger.test.ts',
  'test/store/ledger/restart-alone.test.ts',
  'test/store/ledger/short-outages.test.ts',
  'test/store/ledger/spent-days.test.ts',
  'test/store/redis/connection.test.ts',
  'test/store/redis/probe.test.ts',
  'test/store/round-trips.test.ts',
]

/**
 * Suites with the machine to themselves, one after the other. The times of the first two mean nothing while
 * others run, and the others write so much to the disk that whatever else runs may stop for seconds.
 */
const alone = [
  'test/suites/rolling/*.test.ts',
  'test/browser/suites/lighthouse.test.ts',
  'test/suites/container/*.test.ts',
  'test/suites/redis-versions/*.test.ts',
]

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: unit },
      },
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...unit, ...suites, ...faults, ...alone],
          globalSetup: [
            'test/build.setup.ts',
            'test/sample.setup.ts',
            'test/postgres.setup.ts',
            'test/browser.setup.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'suites',
          include: [
            ...suites,
            'test/graph/columns.test.ts',
            'test/graph/execution/differential.test.ts',
            'test/graph/random-queries.test.ts',
          ],
          exclude: [...configDefaults.exclude, ...alone],
          env: {
            LEDGER_KILLS: '20',
            DIFFERENTIAL_DOCUMENTS: allSuites ? '400' : '200',
            REAL_SEASONS: '1',
            RANDOM_ROUNDS: '120',
          },
          globalSetup: [
            'test/build.setup.ts',
            'test/sample.setup.ts',
            'test/postgres.setup.ts',
            'test/browser.setup.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: faults,
          globalSetup: ['test/build.setup.ts', 'test/sample.setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: alone,
          globalSetup: ['test/build.setup.ts', 'test/sample.setup.ts', 'test/browser.setup.ts'],
        },
      },
    ],
    testTimeout: longest,
    hookTimeout: longest,
    expect: { poll: { timeout: patience } },
    pool: 'forks',
    // Node's default of 16 MB makes garbage collection a quarter of the tests' work.
    execArgv: ['--max-semi-space-size=32'],
    // One more than cores where those are few: tests of timeouts, browsers and processes wait half of their
    // time.
    maxWorkers: Math.max(3, availableParallelism()),
    // Half of the time would go by loading the same modules for every file anew.
    isolate: false,
    // Modules are transformed once for a state of their source, the lockfile and this file: a quarter of one file's run.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    setupFiles: ['test/times/file.setup.ts'],
    reporters: ['default', new Times()],
  },
  resolve: {
    // Loaded twice, graphql takes its own types for another realm's.
    alias: [
      { find: /^graphql$/, replacement: 'graphql/index.js' },
      // As in the scoreboard's build, for tests of its functions.
      { find: /^statline-client$/, replacement: resolve(import.meta.dirname, 'src/client/index.ts') },
    ],
  },
})
