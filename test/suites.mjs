/**
 * `npm run suites`: the projects one after the other. `-- --all` also tries what one run stands for in CI, as CONTRIBUTING
 * lists it. Other words are vitest's.
 */
import { spawnSync } from 'node:child_process'

const words = process.argv.slice(2)
const rest = words.filter((word) => word !== '--all')
const env = { ...process.env, ...(rest.length < words.length && { ALL_SUITES: 'yes' }) }

const projects = [['suites'], ['faults'], ['alone', '--no-file-parallelism']]

for (const [name, ...options] of projects) {
  const command = ['vitest', 'run', '--project', name, ...options, ...rest]
  const { status } = spawnSync('npx', command, { stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}
