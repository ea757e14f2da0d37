import type { Incoming, Outgoing, Transport } from '../../src/wire/transport.ts'
import type { Json } from '../service/client.ts'
import type { Between } from './harness.ts'

/** `team/read` of a request, in either style of the service. */
export function operationOf({ path, body }: Outgoing): string {
  if (body === undefined) return path.slice(1).split('?')[0] ?? ''
  const { class: table, function: name } = JSON.parse(body)
  return `${table}/${name}`
}

/** An answer as the service would send it. */
export function answerOf(body: unknown, more: Partial<Incoming> = {}): Incoming {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return {
    status: 200,
    headers: { 'x-request-usage': '1' },
    body: text,
    bytes: Buffer.byteLength(text),
    ...more,
  }
}

/** Lets every answer of the service through a change of its body. */
export const judged =
  (change: (body: Json, operation: string) => unknown): Between =>
  async (request, service) => {
    const answer = await service(request)
    // What the service answers is an object.
    return answerOf(change(JSON.parse(answer.body) as Json, operationOf(request)), {
      status: answer.status,
      headers: answer.headers,
    })
  }

/** Answers one operation in the service's place, and lets the others through. */
export const instead =
  (
    operation: string,
    answer: (request: Outgoing, service: Transport) => Incoming | Promise<Incoming>,
  ): Between =>
  async (request, service) =>
    operationOf(request) === operation ? answer(request, service) : service(request)
