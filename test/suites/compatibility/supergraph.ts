import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createApp } from '../../../src/server/app.ts'
import { listen } from '../../../src/server/listen.ts'
import { packageOf } from '../../federation/packages.ts'
import { freePort } from '../../free-port.ts'
import { productsSchema } from './products.ts'

interface Running {
  readonly url: string
  close(): Promise<unknown>
}

/** The products subgraph, served as Statline's own schema is. */
export async function startProducts(sdl: string): Promise<Running> {
  const app = createApp({ schema: productsSchema(sdl) })
  const server = await listen(app, '127.0.0.1', 0)
  return { ...server, url: `${server.url}/graphql` }
}

/** One of the suite's own subgraphs, `users` or `inventory`, as it was published. */
export async function startPublished(suite: string, name: string): Promise<Running> {
  const port = await freePort()
  const program = join(suite, 'dist/subgraphs', name, 'index.js')
  const env = { ...process.env, [`${name.toUpperCase()}_PORT`]: String(port) }
  const running = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((ready, failed) => {
    running.once('exit', (code) => failed(new Error(`The subgraph ${name} ended with ${code}.`)))
    createInterface(running.stdout).on('line', (line) => line.includes('ready') && ready())
  })
  const close = () => {
    running.kill()
    return once(running, 'exit')
  }
  return { url: `http://127.0.0.1:${port}/`, close }
}

async function sdlOf(url: string): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ _service { sdl } }' }),
  })
  const { data } = (await response.json()) as { data: { _service: { sdl: string } } } // what the query asks for
  return data._service.sdl
}

interface Asked {
  readonly query: string
  readonly variables?: Record<string, unknown>
}

/** Apollo's gateway over subgraphs, given by name as their addresses. */
export async function startRouter(subgraphs: Readonly<Record<string, string>>): Promise<Running> {
  const { parse } = packageOf('graphql')
  const services = await Promise.all(
    Object.entries(subgraphs).map(async ([name, url]) => ({ name, url, typeDefs: parse(await sdlOf(url)) })),
  )
  const { supergraphSdl, errors } = packageOf('@apollo/composition').composeServices(services)
  if (!supergraphSdl) throw new Error(errors?.map(({ message }) => message).join('\n'))
  const { ApolloGateway } = packageOf('@apollo/gateway')
  const gateway = new ApolloGateway({ supergraphSdl })
  const { executor } = await gateway.load()

  async function answer(request: IncomingMessage): Promise<string> {
    const asked = JSON.parse(await text(request)) as Asked // what the suite sends
    const { data, errors: failed } = await executor({
      request: asked,
      document: parse(asked.query),
      operationName: null,
      queryHash: asked.query,
      context: {},
      metrics: {},
      overallCachePolicy: {},
    })
    return JSON.stringify({ data, ...(failed?.length ? { errors: failed } : {}) })
  }

  const server = await listen(
    (request, response) => {
      answer(request)
        .then((body) => response.writeHead(200, { 'content-type': 'application/json' }).end(body))
        // The suite may have gone on.
        .catch(() => response.destroy())
    },
    '127.0.0.1',
    0,
  )
  return { url: `${server.url}/`, close: () => Promise.all([server.close(), gateway.stop()]) }
}
