/**
 * What gateways are told of a query's price before it runs, as `@cost` and `@listSize`. A weight is in KiB of
 * rows, the service's token: a row's default is 1, what is part of a row or bills nothing by itself is free.
 */
export const free = 0

/** What a row costs by default: of a field that is computed from one that it does not answer with. */
export const oneRow = 1

/** KiB of a row of statistics with their ranks. */
export const statisticsRow = 5

/** Rows that a list is taken to hold, one for each of what it lists. */
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

/** `@listSize` of a list whose length no argument tells. */
export const sizeOf = (what: keyof typeof sizes) => ({ assumedSize: sizes[what] })

/** `@listSize` of a connection: as many as `first` says, else a whole division. */
export const pageOfDivision = {
  assumedSize: sizes.teamsOfDivision,
  slicingArguments: ['first'],
  sizedFields: ['edges'],
  requireOneSlicingArgument: false,
}

/** A field that is computed from a team's season costs its games. */
export const costOfSeason = sizes.gamesOfSeason

/** A leaderboard costs its whole division, whatever page is asked for. */
export const divisionOfStatistics = sizes.teamsOfDivision * statisticsRow
