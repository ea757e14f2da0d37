import type { Sport } from '../league/facts.ts'
import { sampleBasketball, sampleFootball } from './ids.ts'

/** What one sport of the sample league is made of. */
export interface Competition {
  readonly sport: Sport
  readonly organizationId: string
  readonly divisionId: string
  readonly code: string
  readonly name: string
  readonly conferences: readonly string[]
  readonly teamsInConference: number
  /** Where this sport's teams begin in the list of places. */
  readonly firstPlace: number
  /** The positions of a roster, best players first. */
  readonly positions: readonly string[]
  /** How many seasons there are; the last one is under way. */
  readonly seasons: number
  readonly gamesInDay: number
  /** Days from one match day to the next. */
  readonly rhythm: number
  /** Minutes before midnight at which a match day begins: when the day itself does, its first game is over and the next under way. */
  readonly eve: number
  /** The share of the match days that lie before the anchor day. */
  readonly played: number
  /** Points of both sides in an average game. */
  readonly usualTotal: number
  /** Points that the home side is better than elsewhere, both ends of the field together. */
  readonly homeMargin: number
  /** Deviation of a game's margin from what was expected, in points. */
  readonly deviation: number
  /** Deviation of the teams' strength, in points a game. */
  readonly spread: number
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
  conferences: ['Tidewater', 'Highland', 'Prairie', 'Great Bend'],
  teamsInConference: 10,
  firstPlace: 0,
  positions: ['G', 'F', 'G', 'C', 'F', 'G', 'F', 'G', 'C', 'F', 'G'],
  seasons: 2,
  gamesInDay: 14,
  rhythm: 1,
  eve: 150,
  played: 0.6,
  usualTotal: 137,
  homeMargin: 3.2,
  deviation: 11,
  spread: 3.8,
  liveEvery: 240,
  seats: 9_000,
}

export const football: Competition = {
  sport: 'football',
  ...sampleFootball,
  code: 'cfb',
  name: 'Sample College Football',
  conferences: ['Big Timber', 'Coastal Range', 'Mesa'],
  teamsInConference: 8,
  firstPlace: 40,
  positions: footballSquad.flatMap(([position, count]) => Array.from({ length: count }, () => position)),
  seasons: 1,
  gamesInDay: 12,
  rhythm: 7,
  eve: 220,
  played: 0.7,
  usualTotal: 51,
  homeMargin: 2.6,
  deviation: 14,
  spread: 5,
  liveEvery: 360,
  seats: 42_000,
}

export const competitions: readonly Competition[] = [basketball, football]
