import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

/** The slowest tests, slowest first. Started last, one of them would delay the end alone. */
const longest = [
  'graph/execution/budget',
  'graph/dry-bills',
  'store/answers/answer-redis',
  'client/generated',
  'browser/graphiql',
  'start/stop',
  'start/kept-data',
  'browser/live',
  'browser/scoreboard',
  'store/ledger/redis-ledger',
  // These two import the real seasons that others read later, instead of waiting for each other.
  'service/import/basketball',
  'service/import/football',
  'memory/memory',
  'service/serve',
  'start/cannot-start',
  'start/start',
  'graph/eviction',
  'suites/missing-parts',
  'suites/every-page',
  'suites/matrix',
  'service/kill',
  'sample/live',
  'graph/execution/differential',
  'graph/columns',
  'client/tarball',
  'suites/variants/processes',
  'suites/variants/variants',
  'hostile/hostile',
  'suites/graphiql',
  'graph/asked-together',
  'service/import/csv-real-season',
  'graph/seasons',
  'graph/game-starts',
  'plan/plan',
  'service/frozen',
  'server/ledger-kill',
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
