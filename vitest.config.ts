import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/sequence.ts'

/** What installs heavy packages of its own to see Statline as others do: `npm run suites`. */
const suites = ['federation', 'outside', 'suites'].map((folder) => `test/${folder}/**/*.test.ts`)

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...suites],
          globalSetup: ['test/sample.setup.ts', 'test/postgres.setup.ts', 'test/browser.setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'suites',
          include: suites,
          globalSetup: ['test/suites.setup.ts', 'test/sample.setup.ts'],
        },
      },
    ],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: '100%',
    // Half of the time would go by loading the same modules for every file anew.
    isolate: false,
    sequence: { sequencer: LongestFirst },
  },
  resolve: {
    // Loaded twice, graphql takes its own types for another realm's.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
})
