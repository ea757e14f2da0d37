import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/sample.setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    pool: 'forks',
  },
  resolve: {
    // Loaded twice, graphql takes its own types for another realm's.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
})
