import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

/** Asks for `/health` every 10 ms, in a thread of its own. Answers a message with the longest delay since the last. */
const url = new URL('/health', workerData as string) // the graph's address
const agent = new Agent({ keepAlive: true })
const waiting = new Set<number>()
let longest = 0

setInterval(() => {
  const from = performance.now()
  waiting.add(from)
  request(url, { agent }, (response) => {
    response.resume().once('end', () => {
      waiting.delete(from)
      longest = Math.max(longest, performance.now() - from)
    })
  }).end()
}, 10)

parentPort?.on('message', () => {
  const now = performance.now()
  const late = [...waiting].map((from) => now - from)
  parentPort?.postMessage(Math.max(longest, ...late), [])
  longest = 0
})
