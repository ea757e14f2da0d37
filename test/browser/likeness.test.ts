import { expect, it } from 'vitest'
import { probesOf, slipsIn } from '../../examples/scoreboard/src/search/likeness.ts'

/** Whether a search for the text finds the name, if no name has the text itself. */
const finds = (text: string, name: string) =>
  Number.isFinite(slipsIn(text, name)) && probesOf(text).some((part) => name.toLowerCase().includes(part))

it.each([
  ['one letter of four', 'Bako', 'Baku Flames'],
  ['one letter of five', 'Hagle', 'Haigle'],
  ['two swapped letters', 'Bellomor', 'Bellmoor'],
  ['two letters left out of eight', 'Belmor', 'Bellmoor'],
  ['two letters left out at once', 'Bemoor', 'Bellmoor'],
  ['a slip in a surname', 'Jaylen Browm', 'Jaylen Brown'],
  ['the beginning of a name, with a slip', 'Caldr', 'Calder Bay'],
  ['an accent left out', 'Jokic', 'Nikola Jokić'],
])('forgives %s: %s is %s', (_slip, text, name) => {
  expect(finds(text, name)).toBe(true)
})

it.each([
  ['three letters', 'Ben', 'Bon'],
  ['two slips in five letters', 'Bryar', 'Brown'],
  ['three slips in six letters', 'Harman', 'Hexton'],
  ['another surname', 'Jaylen Smith', 'Jaylen Brown'],
])('does not take one name for another: %s', (_what, text, name) => {
  expect(finds(text, name)).toBe(false)
})

it('counts the slips, so that the nearest name comes first', () => {
  const names = ['Dunmore Rams', 'Dunmere', 'Durmont', 'Bellmoor']
  expect(names.map((name) => slipsIn('Dunmroe', name))).toEqual([1, 2, Infinity, Infinity])
  expect(slipsIn('dunmore', 'Dunmore Rams')).toBe(0)
})
