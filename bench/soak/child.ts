import { fork } from 'node:child_process'
import type { State, Told } from './state.ts'

export interface Statline {
  readonly url: string
  state(): Promise<State>
  end(): Promise<void>
}

/**
 * Starts Statline in a process with a heap of so many MB. Every later promise fails once the process has
 * died.
 */
export async function startStatline(upstreamUrl: string, ahead: number, heap: number): Promise<Statline> {
  const child = fork(new URL('server.js', import.meta.url), [upstreamUrl, String(ahead)], {
    env: { ...process.env, NODE_ENV: 'production' },
    execArgv: [`--max-old-space-size=${heap}`, '--expose-gc'],
  })
  const next = () =>
    new Promise<Told>((resolve, reject) => {
      const died = (code: number | null) => reject(new Error(`Statline died with code ${code}.`))
      if (child.exitCode !== null || child.signalCode !== null) return died(child.exitCode)
      child.once('exit', died)
      child.once('message', (told) => {
        child.off('exit', died)
        resolve(told as Told) // the child says nothing else
      })
    })
  const { url = '' } = await next()
  return {
    url,
    async state() {
      const told = next()
      child.send('state')
      const { state } = await told
      if (!state) throw new Error('Statline did not tell its state.')
      return state
    },
    end: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve()
        child.once('exit', () => resolve())
        child.disconnect()
      }),
  }
}
