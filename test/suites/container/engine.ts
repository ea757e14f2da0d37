import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { installSuite, run } from '../../suite.ts'

const here = import.meta.dirname
const root = resolve(here, '../../..')
const programs = ['podman', 'runc', 'iptables', 'mmdebstrap']

/** The kernel features that containers need: namespaces, and a network from outside. */
const namespaces = ['--mount', '--pid', '--net', '--fork', 'iptables', '--table', 'nat', '--list']

async function whyNot(): Promise<string | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs root on Linux'
  for (const program of programs)
    if ((await run(here, 'sh', '-c', `command -v ${program}`)).code !== 0) return `${program} is not there`
  if ((await run(here, 'unshare', ...namespaces)).code !== 0) return 'no container can run on this machine'
  return installSuite(here)
}

/** Why no container can be built and run here, or null. */
export const missing = await whyNot()

/** A home directory with npm's registry settings, for the build and not for the image. */
async function homeIn(folder: string): Promise<string> {
  const home = join(folder, 'home')
  mkdirSync(home)
  const { output } = await run(here, 'npm', 'config', 'get', 'registry', 'cafile')
  const [, registry] = /^registry=(.+)$/m.exec(output) ?? []
  const [, certificates = 'null'] = /^cafile=(.+)$/m.exec(output) ?? []
  const lines = [`registry=${registry}`]
  if (certificates !== 'null') {
    copyFileSync(certificates, join(home, 'certificates'))
    lines.push('cafile=/root/certificates')
  }
  writeFileSync(join(home, '.npmrc'), lines.join('\n'))
  return home
}

// Podman would raise these limits, for which root in a virtual machine may lack the right.
const limits = ['--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096']

const isolation = ['--read-only', '--cap-drop=all', '--security-opt=no-new-privileges']

/** A container engine with a store of its own. */
export class Engine {
  readonly #folder = mkdtempSync(join(tmpdir(), 'statline-container-'))

  /** What a command of podman prints. Throws that where it fails. */
  podman(...args: string[]): Promise<string> {
    const store = [`--root=${join(this.#folder, 'store')}`, `--runroot=${join(this.#folder, 'run')}`]
    return this.#print('podman', ...store, '--runtime=runc', '--log-level=fatal', ...args)
  }

  /** Builds the Dockerfile as the image `statline`, on a `node:24-slim` made here. */
  async build(): Promise<void> {
    const base = join(this.#folder, 'base.tar')
    await this.#print(join(here, 'base.sh'), base)
    await this.podman('import', base, 'docker.io/library/node:24-slim')
    const settings = ['--pull=never', '--format=docker', '--network=host', ...limits]
    const home = `--volume=${await homeIn(this.#folder)}:/root`
    await this.podman('build', ...settings, home, '--tag=statline', '.')
  }

  /** Starts a container of the image, without capabilities. Resolves with its address from outside. */
  async start(name: string): Promise<string> {
    // It drains for so long that a busy machine sees it, too.
    const reach = ['--volume=data:/data', '--publish=127.0.0.1::4000', '--env=DRAIN_SECONDS=10']
    await this.podman('run', '--detach', `--name=${name}`, ...limits, ...isolation, ...reach, 'statline')
    return `http://${await this.podman('port', name, '4000')}`
  }

  async close(): Promise<void> {
    await this.podman('rm', '--all', '--force', '--time=1')
    rmSync(this.#folder, { recursive: true })
  }

  async #print(program: string, ...args: string[]): Promise<string> {
    const { code, output } = await run(root, 'env', `TMPDIR=${this.#folder}`, program, ...args)
    if (code !== 0) throw new Error(output)
    return output.trim()
  }
}
