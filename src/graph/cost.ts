/**
 * The price of a query as `@cost` and `@listSize` tell it to gateways. A weight is in KiB of rows, about
 * one token. A row weighs 1 by default; parts of a row weigh nothing.
 */
export const free = 0

/** The weight of one row, for fields that are computed from a row which they do not return. */
export const oneRow = 1

/** KiB of a row of statistics with their ranks. */
export const statisticsRow = 5

/** Assumed lengths of lists. */
const sizes = {
  leagues: 10,
  idsAsked: 20,
  matches: 6,
  gamesOfDay: 40,
  gamesOfSeason: 32,
  teamsOfDivision: 365,
  teamsOfConference: 15,
  players: 15,
  playersOfGame: 24,
  sides: 2,
  seasons: 4,
  lines: 10,
  transfersOfPlayer: 1,
  transfersOfSeason: 2000,
} as const

/** `@listSize` of a list without an argument for its length. */
export const sizeOf = (what: keyof typeof sizes) => ({ assumedSize: sizes[what] })

/** `@listSize` of a connection: `first`, or the whole division without it. */
export const pageOfDivision = {
  assumedSize: sizes.teamsOfDivision,
  slicingArguments: ['first'],
  sizedFields: ['edges'],
  requireOneSlicingArgument: false,
}

/** A field computed from a team's season costs the season's games. */
export const costOfSeason = sizes.gamesOfSeason

/** Each page of a leaderboard costs the whole division. */
export const divisionOfStatistics = sizes.teamsOfDivision * statisticsRow
