// The suite's own tests, compiled as they were published.
module.exports = {
  rootDir: __dirname,
  roots: ['<rootDir>/node_modules/@apollo/federation-subgraph-compatibility-tests/dist/tests'],
  testMatch: ['**/*.test.js'],
  testPathIgnorePatterns: [],
  haste: { retainAllFiles: true },
  // Its router is at a fixed port, which may be taken here.
  moduleNameMapper: { '^make-fetch-happen$': '<rootDir>/router-fetch.cjs' },
}
