import type { ComponentProps } from 'react'
import { Part } from './states.tsx'
import { Versus } from './versus.tsx'

type VersusPartProps = ComponentProps<typeof Versus> & Omit<ComponentProps<typeof Part<unknown>>, 'children'>

/** Two sides' numbers as a part of a page. */
export const VersusPart = ({ caption, rows, heads, colors, ...part }: VersusPartProps) => (
  <Part {...part}>{() => <Versus caption={caption} rows={rows} heads={heads} colors={colors} />}</Part>
)
