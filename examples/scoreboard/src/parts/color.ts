import { useSyncExternalStore } from 'react'
import { colorsOf, contrast, distance, standingOut } from './contrast.ts'
import type { Hex } from './contrast.ts'

const dark = matchMedia('(prefers-color-scheme: dark)')

function subscribe(listener: () => void): () => void {
  dark.addEventListener('change', listener)
  return () => dark.removeEventListener('change', listener)
}

/** The panels of both themes (`--panel` in `design/tokens.css`). */
const panels = { light: '#ffffff', dark: '#171b21' }

/** The colour that team colours are drawn on. Updates with the reader's theme. */
export const usePanel = (): Hex =>
  useSyncExternalStore(subscribe, () => dark.matches) ? panels.dark : panels.light

type Colored = Parameters<typeof colorsOf>[0]

/** What is drawn has to stand out from what is behind it by 3 to 1 (WCAG 2.2, 1.4.11). */
const least = 3

/** Below this, two lines in one chart are hard to tell apart. */
const alike = 150

/** A colour this near to the panel would have to be moved so far that it is another one. */
const tooNear = 1.8

function drawn(team: Colored, panel: Hex): Hex {
  const { primary, secondary } = colorsOf(team)
  const isNear = contrast(primary, panel) < tooNear
  return isNear && secondary && contrast(secondary, panel) >= least
    ? secondary
    : standingOut(primary, panel, least)
}

/** A team’s colour for charts: its first, moved until it is seen; the second if the first is too near. */
export const useTeamColor = (team: Colored): Hex => drawn(team, usePanel())

/** The colours of two teams in one chart. If they look alike, the second team's other colour, or grey. */
export function usePairColors(first: Colored, second: Colored): readonly [Hex, Hex] {
  const panel = usePanel()
  const one = drawn(first, panel)
  const { primary, secondary } = colorsOf(second)
  const choices = [primary, secondary, '#8a94a3'].map((color) => standingOut(color ?? primary, panel, least))
  const other = choices.find((color) => distance(one, color) >= alike)
  return [one, other ?? standingOut('#8a94a3', panel, least)]
}
