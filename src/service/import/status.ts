/** The state of a game, as far as a season's files show it. */
export type GameStatus = 'final' | 'scheduled' | 'postponed' | 'canceled'

const words: readonly (readonly [RegExp, GameStatus])[] = [
  [/cancel|abandon|nocontest|noncontest/, 'canceled'],
  [/postpone|ppd|suspend/, 'postponed'],
  [/incomplete|not(final|complete|ended|started)|(half|quarter|period|inning)ended/, 'scheduled'],
  [/final|complete|closed|official|ended|finished|fulltime|^(f|ft|fot|aot|aet|over|played)$/, 'final'],
  [/schedul|upcoming|pre|tbd|delay|progress|half|quarter|period|live|inning|overtime|^ot$/, 'scheduled'],
]

/** A clock, or a part of a game by its number: `2nd 5:34`, `End of 1st`, `Q3`. */
const running = /\d:\d\d|\b\d(st|nd|rd|th)\b|\b[qhp]\d\b/i

/**
 * The meaning of a source’s word in any case: `STATUS_CANCELED`, `Ppd`. A game under way is scheduled: it has
 * no result. Null if the word has none of these meanings.
 */
export function statusOf(word: string): GameStatus | null {
  const letters = word.toLowerCase().replaceAll(/[^a-z]/g, '')
  const known = words.find(([pattern]) => pattern.test(letters))?.[1]
  return known ?? (running.test(word) ? 'scheduled' : null)
}

/**
 * The state of a game: as its source says, if that agrees with the score. Without a score, or at 0–0 without
 * a boxscore, it was not played.
 *
 * @param boxes the number of boxscores of the game
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
