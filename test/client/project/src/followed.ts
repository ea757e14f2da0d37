/** What following a day through one client was like. */
export interface Followed {
  /** What the server renders, where nothing is asked. */
  readonly atFirst: string
  /** The calls until every game is shown, and how many that is. */
  readonly firstCalls: string[]
  readonly games: number
  /** The calls until the page shows a change, and what it then shows. */
  readonly nextCalls: string[]
  readonly changed: string | undefined
  /**
   * The same after the server has dropped all connections and the score has changed again, and what the page
   * said meanwhile.
   */
  readonly again: string[]
  /** The calls in the two minutes after the page was left. */
  readonly callsAfter: string[]
}
