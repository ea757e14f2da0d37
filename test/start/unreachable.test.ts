import { createServer } from 'node:https'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { certificateFor, hasOpenssl, withoutOpenssl } from '../certificate.ts'
import type { Certificate } from '../certificate.ts'
import { program } from '../started.ts'
import { ask, listening, startPrograms } from './programs.ts'

const { folder, run, start } = await startPrograms()
const doctor = [...program.slice(0, 1), join(import.meta.dirname, '../../dist/statline.js'), 'doctor']

const closing: (() => unknown)[] = []
afterAll(() => {
  for (const close of closing) close()
})

const rows = '{"1":{"organization_id":"1","name":"One","inactive":0,"deleted":0}}'

/** A service over TLS. Returns its address and the number of calls that it had. */
async function secure({ key, cert }: Certificate) {
  let calls = 0
  const server = createServer({ key, cert }, (_request, response) => {
    calls += 1
    response.writeHead(200, { 'x-request-usage': '1' }).end(rows)
  })
  const url = `${(await listening(server)).replace('http:', 'https:')}/v1`
  closing.push(() => server.close())
  return { url, calls: () => calls }
}

describe.skipIf(!hasOpenssl)(`a service whose certificate is refused${withoutOpenssl}`, () => {
  test.each([
    ['IP:127.0.0.1', false, 'its certificate is self-signed', 'NODE_EXTRA_CA_CERTS'],
    ['DNS:stats.example.com', true, 'its certificate is for another name', 'The host in UPSTREAM_URL'],
  ])(
    'with the name %s, trusted: %s, is told of in the log, at /ready and by the doctor, and to no client',
    async (name, isTrusted, reason, remedy) => {
      const certificate = certificateFor(name)
      closing.push(() => certificate.remove())
      const { url, calls } = await secure(certificate)
      const settings = {
        UPSTREAM_URL: url,
        UPSTREAM_API_KEY: 'hush-hush',
        DATA_DIR: join(folder, name),
        ...(isTrusted && { NODE_EXTRA_CA_CERTS: certificate.file }),
      }
      const graph = await start(settings)
      for (const list of ['organizations', 'divisions']) {
        const answer = await ask(graph.url, `{ ${list} { name } }`)
        expect(answer).toMatchObject({
          errors: [
            {
              message: 'The statistics service cannot be reached.',
              extensions: { code: 'UPSTREAM_UNAVAILABLE' },
            },
          ],
          extensions: { usage: { tokens: 0 } },
        })
        expect(JSON.stringify(answer)).not.toMatch(/certificate|127\.0\.0\.1/)
      }
      const ready = await (await fetch(`${graph.url}/ready`)).text()
      expect(ready).toContain(`It cannot be reached: ${reason} (since `)
      expect(ready).not.toContain('127.0.0.1')

      const told = `cannot be reached: ${reason}. `
      const lines = graph.output().split('\n')
      const found = new Set(lines.filter((line) => line.includes(told)))
      expect([...found]).toEqual([expect.stringMatching(`^The statistics service at ${url} .*${remedy}`)])
      expect(graph.output()).not.toContain('hush-hush')

      const examined = run(settings, doctor)
      expect(await examined.exit).toBe(1)
      expect(examined.output()).toContain(`The statistics service ${told}`)
      expect(examined.output()).toContain(remedy)
      expect(calls()).toBe(0)
    },
  )

  test('is reached once NODE_EXTRA_CA_CERTS names its file', async () => {
    const certificate = certificateFor('IP:127.0.0.1')
    closing.push(() => certificate.remove())
    const { url, calls } = await secure(certificate)
    const graph = await start({
      UPSTREAM_URL: url,
      UPSTREAM_API_KEY: 'any',
      DATA_DIR: join(folder, 'trusted'),
      NODE_EXTRA_CA_CERTS: certificate.file,
    })
    expect(await ask(graph.url, '{ organizations { name } }')).toMatchObject({
      data: { organizations: [{ name: 'One' }] },
      extensions: { usage: { tokens: 1, calls: 1 } },
    })
    expect(calls()).toBe(1)
  })
})
