/** The two to compare, by their ids. */
export interface Pair {
  readonly first: string
  /** While it is missing, the first stands alone. */
  readonly second: string | undefined
  readonly season: number | undefined
}

/** The heading of the second column while nobody is chosen for it. */
export const chooseSecond = 'Choose the second'
