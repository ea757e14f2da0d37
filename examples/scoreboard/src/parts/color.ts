import { useSyncExternalStore } from 'react'

const dark = matchMedia('(prefers-color-scheme: dark)')

function subscribe(listener: () => void): () => void {
  dark.addEventListener('change', listener)
  return () => dark.removeEventListener('change', listener)
}

const surfaces = { light: 1, dark: 0.012 } // relative luminance of the panels behind the marks

/** Relative luminance of `#RRGGBB`, 0 to 1 (WCAG 2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)

interface Colored {
  readonly primaryColor?: string | null
  readonly secondaryColor?: string | null
}

/** The first of a team’s colours with a contrast of 3 to 1 to the page, else the text's colour. */
export function useTeamColor(team: Colored | null | undefined): string {
  const isDark = useSyncExternalStore(subscribe, () => dark.matches)
  const surface = isDark ? surfaces.dark : surfaces.light
  const seen = [team?.primaryColor, team?.secondaryColor].find(
    (color) => color && /^#[0-9a-f]{6}$/i.test(color) && contrast(luminance(color), surface) >= 3,
  )
  return seen ?? 'currentColor'
}
