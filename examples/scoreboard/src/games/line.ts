import { LineFragmentDoc, readFragment } from 'statline-client'
import type { FragmentType, GameCardFragment } from 'statline-client'
import { decimal, signed } from '../parts/numbers.ts'

type LineKey = FragmentType<typeof LineFragmentDoc> | null | undefined

/** How the teams of a game are called beside its line. */
export interface Codes {
  readonly home: string
  readonly away: string
}

const short = (value: number | null | undefined) => decimal(value).replace(/\.0$/, '')

/** A line as bettors read it: the home team’s spread and the total. */
export function lineOf(line: LineKey, home: string): string | null {
  const known = readFragment(LineFragmentDoc, line)
  if (!known) return null
  return `${home} ${signed(known.spreadHome)}, total ${short(known.over)}`
}

/** The spread of the favourite and the total: `CBU −15.5 · O/U 154`. Null if there is no line. */
export function favouriteOf(line: LineKey, { home, away }: Codes): string | null {
  const known = readFragment(LineFragmentDoc, line)
  if (!known) return null
  const { spreadHome, spreadAway, over } = known
  const spread =
    spreadHome == null
      ? null
      : spreadHome === 0
        ? 'Pick’em'
        : spreadHome < 0
          ? `${home} ${signed(spreadHome)}`
          : `${away} ${signed(spreadAway ?? -spreadHome)}`
  return [spread, over == null ? null : `O/U ${short(over)}`].filter((part) => part !== null).join(' · ')
}

type LineResult = NonNullable<GameCardFragment['lineResult']>

/** How the game came out against its closing line, which stands beside it: `CBU by 4.5`, `Over by 7`. */
export function resultsOf(result: LineResult, { home, away }: Codes): readonly string[] {
  const { spread, spreadMargin, total, totalMargin } = result
  const by = (margin: number | null | undefined) => short(Math.abs(margin ?? 0))
  return [
    spread === 'PUSH' && 'Push',
    (spread === 'HOME' || spread === 'AWAY') && `${spread === 'HOME' ? home : away} by ${by(spreadMargin)}`,
    total === 'PUSH' && 'Total pushed',
    total === 'OVER' && `Over by ${by(totalMargin)}`,
    total === 'UNDER' && `Under by ${by(totalMargin)}`,
  ].filter((words) => typeof words === 'string')
}
