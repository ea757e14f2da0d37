import type { Sport } from '../league/facts.ts'
import { sampleBasketball, sampleFootball } from './ids.ts'

/** The parameters of one sport of the sample league. */
export interface Competition {
  readonly sport: Sport
  readonly organizationId: string
  readonly divisionId: string
  readonly code: string
  readonly name: string
  readonly conferences: readonly { readonly code: string; readonly name: string }[]
  readonly teamsInConference: number
  /** The first index of this sport's teams in the list of places. */
  readonly firstPlace: number
  /** The positions of a roster, best players first. */
  readonly positions: readonly string[]
  /** The number of seasons. The last one is the current one. */
  readonly seasons: number
  /** The number of games on each day of the week, from the anchor's day of the week on. */
  readonly week: readonly number[]
  /** Days between a team's games, if the schedule allows it. */
  readonly rest: number
  /** Days of the season that lie before the anchor day. */
  readonly daysPlayed: number
  /** Points of both sides in an average game at the usual tempo. */
  readonly usualTotal: number
  /**
   * The total points of both sides that one point of strength adds in a game of two strong offences or two
   * weak defences.
   */
  readonly openness: number
  /** The error of the last line before a game, in points; earlier lines have a larger one. */
  readonly doubt: number
  /** Home advantage in points, for offence and defence together. */
  readonly homeMargin: number
  /** Deviation of a game's margin from what was expected, in points. */
  readonly deviation: number
  /** Deviation of the teams' strength, in points a game. */
  readonly spread: number
  /** Deviation of the teams' tempo, as a share of the usual length of a possession. */
  readonly tempo: number
  /** The probability that the better of two teams of different conferences is the host: it invites. */
  readonly invites: number
  /** The number of the drawn league, among those that the seed allows. */
  readonly draw: number
  /** Seconds of the wall clock from one live line to the next. */
  readonly liveEvery: number
  readonly seats: number
}

const footballSquad: readonly (readonly [position: string, count: number])[] = [
  ['QB', 2],
  ['RB', 3],
  ['WR', 5],
  ['TE', 2],
  ['DL', 5],
  ['LB', 4],
  ['DB', 5],
  ['K', 1],
  ['P', 1],
]

export const basketball: Competition = {
  sport: 'basketball',
  ...sampleBasketball,
  code: 'cbb',
  name: 'Sample College Basketball',
  conferences: [
    { code: 'TIDE', name: 'Tidewater' },
    { code: 'HLC', name: 'Highland' },
    { code: 'PLC', name: 'Prairie' },
    { code: 'GBC', name: 'Great Bend' },
  ],
  teamsInConference: 10,
  firstPlace: 0,
  positions: ['G', 'F', 'G', 'C', 'F', 'G', 'F', 'G', 'C', 'F', 'G'],
  seasons: 2,
  week: [14, 3, 3, 5, 7, 5, 3],
  rest: 2,
  daysPlayed: 59,
  usualTotal: 147,
  homeMargin: 3.2,
  openness: 1,
  doubt: 3,
  deviation: 11.5,
  spread: 4.2,
  tempo: 0.07,
  invites: 0.72,
  draw: 5,
  liveEvery: 240,
  seats: 9_000,
}

export const football: Competition = {
  sport: 'football',
  ...sampleFootball,
  code: 'cfb',
  name: 'Sample College Football',
  conferences: [
    { code: 'BTC', name: 'Big Timber' },
    { code: 'CRC', name: 'Coastal Range' },
    { code: 'MESA', name: 'Mesa' },
  ],
  teamsInConference: 8,
  firstPlace: 40,
  positions: footballSquad.flatMap(([position, count]) => Array.from({ length: count }, () => position)),
  seasons: 2,
  week: [10, 0, 0, 0, 0, 1, 1],
  rest: 5,
  daysPlayed: 56,
  usualTotal: 50.5,
  homeMargin: 3.6,
  openness: 0.25,
  doubt: 5,
  deviation: 15.5,
  spread: 6.6,
  tempo: 0,
  invites: 0.82,
  draw: 83,
  liveEvery: 360,
  seats: 42_000,
}

export const competitions: readonly Competition[] = [basketball, football]
