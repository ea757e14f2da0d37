import { parse } from 'graphql'
import { expect, test } from 'vitest'
import { bytesOfDocument } from '../../src/server/checked-documents.ts'
import { OpenDocuments } from '../../src/server/open-documents.ts'

const text = 'subscription { scores(date: "2026-02-14") { id } }'

test('documents of open subscriptions are counted once each, and until the last of theirs ends', () => {
  const [one, other, third] = [parse(text), parse(text), parse(text)]
  const open = new OpenDocuments(2 * bytesOfDocument(one))
  for (const document of [one, one, other]) {
    expect(open.hasRoomFor(document)).toBe(true)
    open.count(document, 1)
  }
  expect(open.hasRoomFor(one)).toBe(true)
  expect(open.hasRoomFor(third)).toBe(false)
  open.count(one, -1)
  expect(open.hasRoomFor(third)).toBe(false)
  open.count(one, -1)
  expect(open.hasRoomFor(third)).toBe(true)
})
