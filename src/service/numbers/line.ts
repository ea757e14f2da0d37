/** The counts of a boxscore: the sport's statistic columns, null if the source has no value. */
export type Line = Record<string, number | null>
