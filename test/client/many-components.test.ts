import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startServer } from '../server.ts'
import type { Server } from '../server.ts'
import { run } from '../suite.ts'
import { buildEntry, installProject, project } from './packed.ts'

const missing = await installProject()

const count = 130

describe.skipIf(missing)(
  `a page with ${count} queries, each of two components${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    let server: Server

    beforeAll(async () => {
      await buildEntry('src/many.tsx')
      server = await startServer()
    })
    afterAll(() => server.close())
    beforeEach(() => void server.calls.take())

    const show = async (where: 'page' | 'server') => {
      const { code, output } = await run(
        project,
        process.execPath,
        'many.mjs',
        `${server.url}/graphql`,
        where,
      )
      expect(code, output).toBe(0)
      // React warns where one process renders as a server and as a page.
      return JSON.parse(output.split('\n')[0] ?? '') as unknown
    }
    /** How often the one list was bought that all queries show parts of. */
    const rankings = () => server.calls.take().filter((call) => call.startsWith('ranking/')).length

    it('asks each once, and shows all: in one Suspense, in one each, and without', async () => {
      const whole = { shown: 2 * count, requests: count }
      expect(await show('page')).toEqual({
        together: whole,
        separately: whole,
        unsuspended: whole,
        live: whole,
      })
      expect(rankings()).toBe(1)
    })

    it('is rendered by a server with a request each, and taken over by the page with none, or one each without the server’s answers', async () => {
      const whole = { shown: 2 * count, requests: count }
      expect(await show('server')).toEqual({ server: whole, passed: { ...whole, requests: 0 }, alone: whole })
      expect(rankings()).toBeLessThanOrEqual(1)
    })
  },
)
