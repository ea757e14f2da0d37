import { Agent, request } from 'node:http'
import type { Incoming, Transport } from '../../src/wire/transport.ts'

/**
 * A transport as a proxy has it that uses `node:http` alone: kept connections, one request, the whole text.
 */
export function rawTransport(baseUrl: string): Transport {
  const agent = new Agent({ keepAlive: true })
  return ({ method, path, apiKey, body }) =>
    new Promise<Incoming>((resolve, reject) => {
      const headers = {
        'x-api-key': apiKey,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      }
      const sent = request(baseUrl + path, { method, agent, headers }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('error', reject)
        answer.on('end', () => {
          const bytes = Buffer.concat(parts)
          const { statusCode: status = 0, headers: received } = answer
          resolve({ status, headers: received, body: bytes.toString(), bytes: bytes.length })
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
}
