import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '@redis/client'
import { percentile } from '../load.ts'

const script = fileURLToPath(new URL('spin.js', import.meta.url))

/**
 * Measures while processes of the lowest priority keep all cores awake. In a virtual machine a core that
 * sleeps takes 0.1 to 0.5 ms to wake, at each message between processes: more than what is measured.
 */
export async function withAwakeCores<T>(measure: () => Promise<T>): Promise<T> {
  const spinning = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, [script], { stdio: 'ignore' }),
  )
  try {
    return await measure()
  } finally {
    for (const child of spinning) child.kill('SIGKILL')
  }
}

/** The median of a PING to Redis after `pauseMs` in which nothing was sent, in milliseconds. */
export async function pingMs(url: string, pauseMs: number): Promise<number> {
  const client = createClient({ url })
  await client.connect()
  const times: number[] = []
  for (let nth = 0; nth < 100; nth += 1) {
    await sleep(pauseMs)
    const from = performance.now()
    await client.ping()
    times.push(performance.now() - from)
  }
  client.destroy()
  return percentile(
    times.toSorted((one, other) => one - other),
    0.5,
  )
}
