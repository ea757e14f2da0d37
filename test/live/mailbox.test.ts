import { expect, test } from 'vitest'
import { Mailbox } from '../../src/live/mailbox.ts'

function mailbox({ open = async () => {} }: { readonly open?: () => Promise<void> } = {}) {
  const told: string[] = []
  const box = new Mailbox<string, string>({
    read: (_topic, message) => message,
    open: async () => {
      told.push('open')
      await open()
    },
    close: async () => void told.push('close'),
  })
  return { box, told }
}

test('a slow reader has one message for each topic waiting, the newest', async () => {
  const { box } = mailbox()
  for (const state of ['0:0', '1:0', '2:0']) box.put('game one', state)
  box.put('game two', '7:7')
  expect(box.size).toBe(2)
  expect([await box.next(), await box.next()].map(({ value }) => value)).toEqual(['2:0', '7:7'])
})

test('a reader that waits is given the next message at once', async () => {
  const { box } = mailbox()
  const next = box.next()
  await Promise.resolve()
  await Promise.resolve()
  box.put('game one', '1:0')
  expect(await next).toEqual({ done: false, value: '1:0' })
})

test('opens with the first read and closes once, with whatever is waited for', async () => {
  const { box, told } = mailbox()
  expect(told).toEqual([])
  const next = box.next()
  await Promise.all([box.return(), box.return()])
  expect(await next).toEqual({ done: true, value: undefined })
  expect(told).toEqual(['open', 'close'])
  box.put('game one', '1:0')
  expect(await box.next()).toEqual({ done: true, value: undefined })
})

test('is over after it could not be opened', async () => {
  const { box, told } = mailbox({ open: () => Promise.reject(new Error('nobody there')) })
  await expect(box.next()).rejects.toThrow('nobody there')
  expect(await box.next()).toEqual({ done: true, value: undefined })
  expect(told).toEqual(['open', 'close'])
})
