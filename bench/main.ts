import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { run as bill } from './bill.ts'
import { run as day } from './day.ts'
import { run as hostile } from './hostile.ts'
import { run as importing } from './import.ts'
import { run as live } from './live.ts'
import { run as pages } from './pages.ts'
import { run as predictions } from './predictions.ts'
import { run as sample } from './sample.ts'
import { run as service } from './service.ts'
import { run as sharing } from './sharing.ts'
import { run as soak } from './soak.ts'
import { run as speed } from './speed.ts'

/**
 * A benchmark: prints its figures and resolves with whether its bounds hold. Takes the folder of the real
 * seasons.
 */
type Bench = (data: string) => Promise<boolean | void>

const benches: Readonly<Record<string, Bench>> = {
  service,
  bill,
  speed,
  sharing,
  sample,
  predictions,
  import: importing,
  pages,
  live,
  day,
  soak,
  hostile,
}

/** Benchmarks of the real seasons alone. */
const needData = new Set(['predictions', 'import'])

/** Benchmarks that take minutes and run only by name. */
const onlyByName = new Set(['pages', 'live', 'day', 'soak', 'hostile'])

async function main(names: readonly string[]): Promise<boolean> {
  const unknown = names.filter((name) => !Object.hasOwn(benches, name))
  if (unknown.length > 0)
    throw new RangeError(`There is no benchmark ${unknown.join(', ')}: ${Object.keys(benches).join(', ')}.`)
  const data = resolve('../shared/data')
  let good = true
  for (const [name, bench] of Object.entries(benches)) {
    if (names.length > 0 ? !names.includes(name) : onlyByName.has(name)) continue
    if (needData.has(name) && !existsSync(data)) {
      console.log(`\n${name}: left out, for the public files of the seasons are not beside the repository`)
      continue
    }
    console.log(`\n${name}`)
    if ((await bench(data)) !== false) continue
    console.log(`${name}: not what it has to be`)
    good = false
  }
  return good
}

try {
  if (!(await main(process.argv.slice(2)))) process.exitCode = 1
} catch (error) {
  console.error(error instanceof RangeError ? error.message : error)
  process.exitCode = 1
}
