/** Where a game stands, as far as a season's files can say. */
export type GameStatus = 'final' | 'scheduled' | 'postponed' | 'canceled'

const words: readonly (readonly [RegExp, GameStatus])[] = [
  [/cancel|abandon|nocontest|noncontest/, 'canceled'],
  [/postpone|ppd|suspend/, 'postponed'],
  [/final|complete|closed|official|ended/, 'final'],
  [/schedul|upcoming|pre|tbd|delay|progress|half|quarter|period|live|inning/, 'scheduled'],
]

/** What a source’s word for it means, whatever its case: `STATUS_CANCELED`, `Ppd`. Null where it means none of these. */
export function statusOf(word: string): GameStatus | null {
  const letters = word.toLowerCase().replaceAll(/[^a-z]/g, '')
  if (letters === '') return null
  return words.find(([pattern]) => pattern.test(letters))?.[1] ?? null
}

/**
 * Where a game stands: as its source says, if that agrees with the score. Without a score, or 0–0 without a boxscore, nobody has played.
 *
 * @param boxes boxscores that the source has of the game
 */
export function gameStatus(
  said: GameStatus | null,
  home: number | null,
  away: number | null,
  boxes: number,
): GameStatus {
  if (said !== null && said !== 'final') return said
  if (home === null || away === null) return 'scheduled'
  return home === 0 && away === 0 && boxes === 0 ? 'scheduled' : 'final'
}
