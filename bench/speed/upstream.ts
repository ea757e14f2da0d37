import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { listening } from '../child.ts'
import { requestLine } from './recording.ts'
import type { Recording } from './recording.ts'

/**
 * A process that answers with the same bytes whatever it is asked, as fast as it can or after some
 * milliseconds: the service without its work.
 */
const [file = '', delay = '0'] = process.argv.slice(2)
const recording = JSON.parse(readFileSync(file, 'utf8')) as Recording // written by the benchmark
const answers = new Map(Object.entries(recording).map(([line, body]) => [line, Buffer.from(body)]))

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (part: string) => (body += part))
  request.on('end', () => {
    const line = requestLine(request.method ?? '', (request.url ?? '').replace(/^\/v1/, ''), body)
    const answer = answers.get(line)
    if (!answer) console.error(`Nobody recorded ${line.slice(0, 200)}`)
    const bytes = answer ?? Buffer.from('{"error":"not recorded"}')
    const send = () => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': bytes.length,
        'x-request-usage': '1',
      })
      response.end(bytes)
    }
    if (delay === '0') send()
    else setTimeout(send, Number(delay))
  })
})

listening(server, '/v1')
