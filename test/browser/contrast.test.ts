import { expect, it } from 'vitest'
import { contrast, edgeOn, lettersOn, standingOut } from '../../examples/scoreboard/src/parts/contrast.ts'
import { initialsOf } from '../../examples/scoreboard/src/parts/initials.ts'

const panels = ['#ffffff', '#171b21']
const steps = ['00', '33', '66', '80', '99', 'cc', 'ff']
const colors = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)))

it('computes contrast as WCAG 2 does', () => {
  expect(contrast('#ffffff', '#000000')).toBe(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

it('writes a mark’s letters so that they can be read on every colour', () => {
  for (const background of colors)
    for (const wanted of [null, '#ffffff', '#808080', background])
      expect(contrast(lettersOn(background, wanted), background)).toBeGreaterThanOrEqual(4.5)
})

it('draws a mark that stands out in both themes, by its colour or by its edge', () => {
  for (const panel of panels)
    for (const primary of colors)
      for (const secondary of [null, '#ffffff', '#111827', '#e5e7eb', primary]) {
        const drawn = [primary, edgeOn(panel, primary, secondary)]
        expect(Math.max(...drawn.map((color) => contrast(color, panel)))).toBeGreaterThanOrEqual(3)
      }
})

it('moves a colour that is too near a panel until it is seen', () => {
  for (const panel of panels)
    for (const color of colors)
      expect(contrast(standingOut(color, panel, 3), panel)).toBeGreaterThanOrEqual(3)
})

it.each([
  [{ name: 'Amber Falls' }, 'AF'],
  [{ name: 'Linden Heights A&M', char6: 'LHAM' }, 'LHA'],
  [{ name: 'Duke', char6: 'DUKE' }, 'DU'],
  [{ name: null, char6: 'XYZ' }, 'XY'],
  [{}, '?'],
])('takes the initials of %o', (team, initials) => {
  expect(initialsOf(team)).toBe(initials)
})
