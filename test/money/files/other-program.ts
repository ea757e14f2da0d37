import { spawn } from 'node:child_process'

const program = `
  const [file, change] = process.argv.slice(1)
  const database = new (require('libsql'))(file)
  database.exec('pragma locking_mode = exclusive')
  database.exec(change)
  console.log('locked')
  setInterval(() => {}, 1_000)
`

/** Changes a file in another process, which then holds it for itself. Returns a function that ends the process. */
export async function heldFile(file: string, change: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ['-e', program, file, change], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((locked, fail) => {
    child.stdout.once('data', locked)
    child.once('exit', () => fail(new Error('the file could not be held')))
  })
  return async () => {
    if (child.signalCode !== null) return
    const ended = new Promise((end) => child.once('exit', end))
    child.kill('SIGKILL')
    await ended
  }
}
