import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { documentTexts } from '../../codegen/document-texts.ts'
import { textOf } from '../../src/client/document.ts'
import { MatchupDocument } from '../../src/client/generated/graphql.ts'

it('puts each generated document’s text in place of its syntax tree, and nothing for a fragment', () => {
  const generated = readFileSync(new URL('../../src/client/generated/graphql.ts', import.meta.url), 'utf8')
  const shortened = documentTexts(generated)
  expect(shortened).not.toContain('"kind":"Document"')
  expect(shortened.match(/^export const/gm)).toEqual(generated.match(/^export const/gm))
  expect(shortened).toContain(
    `MatchupDocument = /*#__PURE__*/ new String(${JSON.stringify(textOf(MatchupDocument))})`,
  )
  expect(shortened).toContain('TeamNameFragmentDoc = /*#__PURE__*/ new String("")')
  expect(shortened.length).toBeLessThan(generated.length / 2)
})

it('is read by the client as its text', () => {
  const text = 'query A { usage { tokens } }'
  expect(textOf(new String(text))).toBe(text)
})
