import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse, print, visit } from 'graphql'
import { describe, expect, it } from 'vitest'
import { keyOf, nameOf, textOf } from '../../src/client/document.ts'
import * as documents from '../../src/client/generated/graphql.ts'

/** Everything that an executable document may contain. */
const kitchenSink = `
  query Everything($id: ID! = "x" @deprecated, $list: [Int!]! = [1, 2], $in: In = { a: 1.5e3, b: [A, null, true] }) @a(b: $id) @c {
    alias: field(text: "a \\"quoted\\" \\\\ \\u00e9\\n", block: """
      several
      lines
    """, empty: "", none: [], nothing: {}, of: { id: $id }) @skip(if: false) { __typename ...Part @include(if: true) }
    ... on Type @d { id }
    ... { id }
    ... @include(if: $id) { id }
  }
  mutation { change }
  subscription S { event(id: -1) }
  { short }
  fragment Part on Type @e { list(of: ENUM) { id } }
`

const operations = resolve(import.meta.dirname, '../../src/client/operations')
const ours = Object.entries(documents).flatMap(([name, document]) =>
  typeof document === 'object' && name.endsWith('Document') ? [[name, document] as const] : [],
)

describe('a document’s text', () => {
  it.each([
    ['everything a document may contain', kitchenSink],
    ...readdirSync(operations).map((name) => [name, readFileSync(resolve(operations, name), 'utf8')]),
  ])('means what the document means: %s', (_name, text) => {
    const document = parse(text, { noLocation: true })
    // A string in three quotes means the same in one.
    const meant = visit(document, { StringValue: (node) => ({ ...node, block: false }) })
    expect(parse(textOf(document), { noLocation: true })).toEqual(meant)
  })

  it.each(ours)('is that of the syntax tree which codegen made: %s', (name, document) => {
    const printed = parse(textOf(document), { noLocation: true })
    expect(print(printed)).toBe(print(document))
    expect(nameOf(document)).toBe(name.replace(/Document$/, ''))
  })

  it('is the string of a document that codegen wrote as a string', () => {
    const text = 'query Own { league { currentSeason } }'
    expect(textOf(new String(text))).toBe(text) // as codegen's TypedDocumentString
  })
})

it('a document and its variables have one key, in whatever order they are written', () => {
  const document = parse('query A($a: Int, $b: In) { a(a: $a, b: $b) }')
  const key = keyOf(document, { a: 1, b: { c: [1, 2], d: null } })
  expect(keyOf(document, { b: { d: null, c: [1, 2] }, a: 1, e: undefined })).toBe(key)
  expect(keyOf(document, { a: 1, b: { c: [2, 1], d: null } })).not.toBe(key)
  expect(keyOf(parse('query B { a }'), { a: 1 })).not.toBe(keyOf(parse('query C { a }'), { a: 1 }))
})
