import { expect, test } from 'vitest'
import { badService } from './bad-service.ts'

const text = '{ organizations { name } }'

/** Lets this process neither send nor read. */
function stop(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

test('an answer that waited while this process was stopped is not too late', async () => {
  const service = await badService((response) => {
    setTimeout(() => response.setHeader('x-request-usage', '1').end('{}'), 20)
    // After the request has arrived, and before it is answered.
    setTimeout(() => stop(1_000), 5)
  }, 500)
  const { errors, extensions } = await service.graph.query(text)
  await service.stop()
  expect(errors).toBeUndefined()
  expect(extensions.usage).toMatchObject({ calls: 1, tokens: 1 })
  expect(service.calls()).toBe(1)
})

test('a silent service is given up by a process that is stopped again and again', async () => {
  const service = await badService(() => {}, 60)
  const stopping = setInterval(() => stop(70), 10)
  const { errors, extensions } = await service.graph.query(text)
  clearInterval(stopping)
  await service.stop()
  expect(errors?.[0]?.extensions?.code).toBe('UPSTREAM_TIMEOUT')
  // It was sent, so it may have been billed.
  expect(extensions.usage.calls).toBe(1)
})
