import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

/** The slowest tests, slowest first. Started last, one of them would delay the end alone. */
const longest = [
  'browser/graphiql',
  'service/sample/live',
  'browser/browser',
  'graph/start',
  'capabilities/variants',
  'graph/eviction',
  'memory/memory',
  'server/ledger-kill',
  'graph/execution/differential',
  'service/frozen',
  'graph/hostile-bills',
]

const place = ({ moduleId }: TestSpecification) => {
  const found = longest.findIndex((name) => moduleId.endsWith(`${name}.test.ts`))
  return found < 0 ? longest.length : found
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array’s
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other))
  }
}
