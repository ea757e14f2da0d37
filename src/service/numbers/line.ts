/** What one boxscore counts: the sport's statistic columns, null where the source has no value. */
export type Line = Record<string, number | null>
