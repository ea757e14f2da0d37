import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = resolve(import.meta.dirname, '..')

/** Folders here may have half a gigabyte. One that was not used for half an hour belongs to older code. */
const keptFor = 30 * 60_000

const made = new Set(['node_modules', 'dist'])

/**
 * A folder in the temporary folder that `make` fills once for a state of its sources: files and folders, relative to
 * the repository. All test runs share it, so nobody writes to it. While one process makes it, others wait.
 */
export async function madeOnce(
  name: string,
  sources: readonly string[],
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(tmpdir(), `statline-${name}-${hashOf(sources)}`)
  await once(folder, async () => {
    removeOld(`statline-${name}-`)
    const partial = `${folder}.${process.pid}`
    mkdirSync(partial)
    await make(partial)
    renameSync(partial, folder)
  })
  const now = new Date()
  utimesSync(folder, now, now)
  return folder
}

/** Calls `make`, which makes the path, unless it is there. While one process makes it, others wait. */
export async function once(path: string, make: () => Promise<void>, lock = `${path}.lock`): Promise<void> {
  while (!existsSync(path) || existsSync(lock)) {
    if (!claim(lock)) {
      await sleep(100)
      continue
    }
    try {
      if (!existsSync(path)) await make()
    } finally {
      rmSync(lock, { force: true })
    }
    return
  }
}

/** Takes the lock, from an owner that is not alive if need be. */
function claim(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (!isAlive(ownerOf(lock))) rmSync(lock, { force: true })
    return false
  }
}

const ownerOf = (lock: string) => (existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : process.pid)

function isAlive(pid: number): boolean {
  try {
    return pid === 0 || process.kill(pid, 0)
  } catch {
    return false
  }
}

function removeOld(prefix: string): void {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(prefix))) {
    const path = join(tmpdir(), name)
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > keptFor) rmSync(path, { recursive: true, force: true })
  }
}

/** A hash of the names and contents of files and folders, without packages and what was compiled. */
export function hashOf(sources: readonly string[]): string {
  const hash = createHash('sha256')
  for (const source of sources)
    for (const file of filesOf(join(root, source))) {
      const content = readFileSync(file)
      hash.update(`${file.slice(root.length)} ${content.length}\n`).update(content)
    }
  return hash.digest('hex').slice(0, 16)
}

function* filesOf(path: string): Generator<string> {
  if (!statSync(path).isDirectory()) return yield path
  for (const name of readdirSync(path).toSorted()) if (!made.has(name)) yield* filesOf(join(path, name))
}
