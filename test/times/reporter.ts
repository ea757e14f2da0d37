import { writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { forgetInstalls, installTime } from '../suite.ts'
import { folder } from './runs.ts'
import type { RunTimes } from './runs.ts'

const root = resolve(import.meta.dirname, '../..')

interface FileTimes {
  readonly name: string
  readonly wall: number
  readonly work: number
}

const shown = 10

/** Whether the command line asks for some files: a word that is no option, nor the value of one. */
const namesFiles = process.argv
  .slice(2)
  .some((word, at, all) => !word.startsWith('-') && word !== 'run' && !all[at - 1]?.startsWith('--'))

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`.padStart(8)

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

/** The part of a file's wall time in which its process and programs did not work. Several programs may work at once. */
const waitOf = ({ wall, work }: FileTimes) => Math.max(0, wall - work)

const timesOf = (module: TestModule): FileTimes => {
  const { wall = 0, work = 0 } = module.meta().times ?? {}
  return { name: relative(root, module.moduleId), wall, work }
}

/** Prints the files that wait longest. Keeps the times of a whole project's run for `npm run times`. */
export class Times implements Reporter {
  #begun = Date.now()
  #first = 0

  onInit(): void {
    forgetInstalls()
  }

  onTestRunStart(): void {
    this.#first = 0
  }

  onTestModuleQueued(): void {
    this.#first ||= Date.now()
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map(timesOf)
    if (files.length < shown) return
    console.log('\nThe longest waits, as wall time and processor time:')
    for (const { name, wall, work } of files.toSorted((a, b) => waitOf(b) - waitOf(a)).slice(0, shown))
      console.log(`${seconds(wall)} ${seconds(work)}  ${name}`)
    if (!namesFiles) this.#keep(modules, files)
  }

  #keep(modules: readonly TestModule[], files: readonly FileTimes[]): void {
    const run = [...new Set(modules.map(({ project }) => project.name))].toSorted().join(' + ')
    const times: RunTimes = {
      run,
      tests: sum(modules.map(({ children }) => [...children.allTests()].length)),
      files: files.length,
      wall: Date.now() - this.#begun,
      setup: this.#first - this.#begun,
      install: installTime(),
      wait: sum(files.map(waitOf)),
      work: sum(files.map(({ work }) => work)),
    }
    writeFileSync(join(folder(), `${run}.json`), JSON.stringify(times))
  }
}
