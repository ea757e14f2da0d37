import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../free-port.ts'
import { run } from '../../suite.ts'
import { patience } from '../../patience.ts'

const program = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'].find(existsSync)
const openssl = ['/usr/bin/openssl', '/usr/local/bin/openssl', '/opt/homebrew/bin/openssl'].find(existsSync)

export const hasNginx = program !== undefined && openssl !== undefined
/** Why the suite is skipped; empty if nginx is there. */
export const withoutNginx = hasNginx ? '' : ' (skipped: nginx or openssl is not installed)'

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/operations.md'), 'utf8')

/** A code block of the documentation, by its language and some of its text. */
function documented(language: string, text: string): string {
  const blocks = page.matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\``, 'gms'))
  for (const [, indent = '', block = ''] of blocks)
    if (block.includes(text)) return block.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
  throw new Error(`docs/operations.md has no block with ${text}.`)
}

/** The variables of the documented start command. Those with addresses are the test's own. */
export function documentedVariables(): Readonly<Record<string, string>> {
  const assignments = documented('sh', 'ADMIN_PORT=').matchAll(/\b([A-Z_]+)=(\S+)/g)
  const found = Object.fromEntries([...assignments].map(([, name = '', value = '']) => [name, value]))
  const { HOST: _host, REDIS_URL: _redis, UPSTREAM_URL: _service, UPSTREAM_API_KEY: _key, ...rest } = found
  return rest
}

/** Exactly the documented configuration, with other ports, a certificate, and these changes. */
function configuration(instances: readonly number[], port: number, folder: string, changes: Changes): string {
  let text = documented('nginx', 'upstream statline')
  const replace = (from: string | RegExp, to: string) => {
    const before = text
    text = text.replace(from, to)
    if (text === before) throw new Error(`The documented configuration has no ${from}.`)
  }
  instances.forEach((instance, at) => replace(`10.0.0.${at + 1}:4000`, `127.0.0.1:${instance}`))
  replace('listen 443', `listen 127.0.0.1:${port}`)
  for (const [from, to] of Object.entries(changes)) replace(from, to)
  replace(
    /# ssl_certificate .*/,
    `ssl_certificate ${folder}/certificate.pem; ssl_certificate_key ${folder}/key.pem;`,
  )
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
    daemon off;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log;
    events {}
    http {
      access_log off;
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
      ${text}
    }`
}

/** What replaces a part of the documented configuration. */
type Changes = Readonly<Record<string, string>>

export interface Nginx {
  readonly port: number
  /** What it has logged. */
  errors(): string
  close(): Promise<void>
}

/** nginx before these instances, configured as documented but for these changes. */
export async function startNginx(instances: readonly number[], changes: Changes = {}): Promise<Nginx> {
  if (program === undefined || openssl === undefined) throw new Error('nginx is not installed.')
  const folder = mkdtempSync(join(tmpdir(), 'statline-nginx-'))
  mkdirSync(join(folder, 'logs'))
  const port = await freePort()
  const subject = ['-subj', '/CN=stats.example.com', '-days', '2']
  const files = ['-keyout', 'key.pem', '-out', 'certificate.pem']
  const made = await run(
    folder,
    openssl,
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    ...files,
    ...subject,
  )
  if (made.code !== 0) throw new Error(made.output)
  writeFileSync(join(folder, 'nginx.conf'), configuration(instances, port, folder, changes))
  const checked = await run(folder, program, '-t', '-p', folder, '-c', 'nginx.conf')
  if (checked.code !== 0) throw new Error(checked.output)
  const child = spawn(program, ['-p', folder, '-c', 'nginx.conf'], { stdio: 'ignore' })
  const ended = new Promise((is) => child.once('exit', is))
  for (const late = performance.now() + patience; !(await accepts(port)); await wait(10)) {
    if (child.exitCode !== null) throw new Error(`nginx has ended with ${child.exitCode}.`)
    if (performance.now() < late) continue
    child.kill('SIGTERM')
    throw new Error(`nginx does not listen on ${port}.`)
  }
  return {
    port,
    errors: () => readFileSync(join(folder, 'error.log'), 'utf8'),
    async close() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const accepts = (port: number) =>
  new Promise<boolean>((is) => {
    const socket = connect(port, '127.0.0.1', () => (socket.destroy(), is(true)))
    socket.on('error', () => is(false))
  })
