// Starts Statline, a team's own subgraph, and a gateway over both: npm start
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startGateway } from './gateway.js'
import { compose } from './supergraph.js'
import { startTickets } from './tickets.js'

const { STATLINE_URL, STATLINE_PORT = '4000', TICKETS_PORT = '4011', PORT = '4010' } = process.env

function npm(cwd, ...command) {
  const { status } = spawnSync('npm', command, { cwd, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

/** A running Statline, or one that is started here. */
async function startStatline() {
  if (STATLINE_URL) return STATLINE_URL
  const root = new URL('../..', import.meta.url)
  if (!existsSync(new URL('node_modules', root))) npm(root, 'ci')
  npm(root, 'run', 'build', '--silent')
  const env = { ...process.env, PORT: STATLINE_PORT, STATLINE_PORT: undefined }
  // Not started through npm, which would not stop it.
  const statline = spawn(process.execPath, ['dist/main.js'], { cwd: root, env, stdio: 'inherit' })
  statline.once('exit', (code) => process.exit(code ?? 1))
  process.once('exit', () => statline.kill())
  const base = `http://127.0.0.1:${STATLINE_PORT}`
  for (;;) {
    const ready = await fetch(`${base}/ready`).catch(() => null)
    if (ready?.ok) return `${base}/graphql`
    await sleep(250)
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0))

const statline = await startStatline()
const tickets = await startTickets(Number(TICKETS_PORT))
const gateway = await startGateway(await compose({ statline, tickets: tickets.url }), Number(PORT))
console.log(`The tickets subgraph listens on ${tickets.url}`)
console.log(`The supergraph listens on ${gateway.url}`)
