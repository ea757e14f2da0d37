/** `npm run times` writes the times of the last runs into CONTRIBUTING.md. A run that was not made keeps its row. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'node_modules/.cache/statline/times')
const page = join(root, 'CONTRIBUTING.md')

const head = ['run', 'tests', 'files', 'wall', 'setup', 'install', 'wait', 'work']
const [begin, end] = ['<!-- times -->\n\n', '\n<!-- /times -->']

const seconds = (ms) => `${Math.round(ms / 1000)} s`

const rowOf = ({ run, tests, files, wall, setup, install, wait, work }) =>
  `| ${[run, tests, files, ...[wall, setup, install, wait, work].map(seconds)].join(' | ')} |`

const nameOf = (row) => row.split('|')[1].trim()

const [before, rest] = readFileSync(page, 'utf8').split(begin)
const [table, after] = rest.split(end)
const rows = new Map(
  table
    .split('\n')
    .slice(2)
    .filter((row) => row !== '')
    .map((row) => [nameOf(row), row]),
)
for (const name of existsSync(folder) ? readdirSync(folder) : []) {
  const row = rowOf(JSON.parse(readFileSync(join(folder, name), 'utf8')))
  rows.set(nameOf(row), row)
}
const lines = [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...rows.values()]
writeFileSync(page, `${before}${begin}${lines.join('\n')}\n${end}${after}`)
console.log(lines.join('\n'))
