/** A colour as the service writes it: `#RRGGBB`. */
export type Hex = string

const isHex = (color: string | null | undefined): color is Hex => /^#[0-9a-f]{6}$/i.test(color ?? '')

const channels = (color: Hex) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))

/** Relative luminance, 0 to 1 (WCAG 2). */
function luminance(color: Hex): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const part = channel / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colours, 1 to 21 (WCAG 2). */
export function contrast(a: Hex, b: Hex): number {
  const [one, other] = [luminance(a), luminance(b)]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

/** A mix of two colours; `share` of the second, 0 to 1. */
function mixed(from: Hex, to: Hex, share: number): Hex {
  const other = channels(to)
  const parts = channels(from).map((one, at) => Math.round(one + ((other[at] ?? one) - one) * share))
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

const [white, black] = ['#ffffff', '#000000']

/** The colour, moved towards white or black until it stands out from a surface. */
export function standingOut(color: Hex, surface: Hex, least: number): Hex {
  const towards = contrast(white, surface) > contrast(black, surface) ? white : black
  for (let share = 0; share < 1; share += 0.1) {
    const tried = mixed(color, towards, share)
    if (contrast(tried, surface) >= least) return tried
  }
  return towards
}

/** How different two colours look, 0 to 765: the sum of the channels' distances. */
export function distance(a: Hex, b: Hex): number {
  const other = channels(b)
  return channels(a).reduce((sum, one, at) => sum + Math.abs(one - (other[at] ?? 0)), 0)
}

interface Colored {
  readonly primaryColor?: string | null
  readonly secondaryColor?: string | null
}

const nameless = '#5b6472'

/** A team's own colours; grey for a team without. */
export function colorsOf(team: Colored | null | undefined): { primary: Hex; secondary: Hex | null } {
  const [primary = null, secondary = null] = [team?.primaryColor, team?.secondaryColor].filter(isHex)
  return { primary: primary ?? nameless, secondary }
}

/** The colour for letters on a background: the first that can be read there, else black or white. */
export function lettersOn(background: Hex, wanted: Hex | null): Hex {
  if (wanted && contrast(wanted, background) >= 4.5) return wanted
  return contrast(white, background) >= contrast(black, background) ? white : black
}

/**
 * The edge of what a team's colours fill: the second colour if either stands out from the panel, else one
 * that does.
 */
export function edgeOn(panel: Hex, primary: Hex, secondary: Hex | null): Hex {
  const stands = (color: Hex) => contrast(color, panel) >= 3
  if (secondary && (stands(primary) || stands(secondary))) return secondary
  return stands(primary) ? primary : standingOut(primary, panel, 3)
}
