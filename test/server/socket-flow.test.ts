import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { SocketFlow } from '../../src/server/socket-flow.ts'

function flowing() {
  const socket = Object.assign(new EventEmitter(), {
    isPaused: false,
    pause: () => void (socket.isPaused = true),
    resume: () => void (socket.isPaused = false),
  })
  const connection = Object.assign(new EventEmitter(), { writableNeedDrain: false })
  const flow = new SocketFlow(socket as unknown as WebSocket, connection as unknown as Duplex) // what it uses of them
  return { socket, flow }
}

test('a connection whose queries are a mebibyte is not read until some of them are answered', async () => {
  const { socket, flow } = flowing()
  for (const id of ['1', '2']) {
    socket.emit('message')
    expect(socket.isPaused).toBe(false)
    await flow.begin(id, 600_000)
  }
  socket.emit('message')
  expect(socket.isPaused).toBe(true)
  flow.end('1')
  expect(socket.isPaused).toBe(false)
  socket.emit('message')
  expect(socket.isPaused).toBe(false)
})

test('queries that wait for their turn count as those that run', async () => {
  const { socket, flow } = flowing()
  for (let id = 0; id < 32; id += 1) await flow.begin(String(id), 1)
  const waiting = flow.begin('waiting', 1_048_576)
  socket.emit('message')
  expect(socket.isPaused).toBe(true)
  flow.end('0')
  await waiting
  flow.end('waiting')
  expect(socket.isPaused).toBe(false)
})
