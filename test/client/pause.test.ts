import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { pause } from '../../src/client/pause.ts'

test('a pause that is over leaves nothing at the signal of a stream that lives for hours', async () => {
  const { signal } = new AbortController()
  for (let time = 0; time < 20; time += 1) await pause(1, signal)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a pause ends at once if the signal is aborted, also before it begins', async () => {
  const connection = new AbortController()
  const waiting = pause(600_000, connection.signal)
  connection.abort()
  await waiting
  await pause(600_000, connection.signal)
})
