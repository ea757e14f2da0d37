import type { Sport } from '../league/facts.ts'
import { sampleBasketball, sampleFootball } from './ids.ts'

/** What one sport of the sample league is made of. */
export interface Competition {
  readonly sport: Sport
  readonly organizationId: string
  readonly divisionId: string
  readonly code: string
  readonly name: string
  readonly conferences: readonly { readonly code: string; readonly name: string }[]
  readonly teamsInConference: number
  /** Where this sport's teams begin in the list of places. */
  readonly firstPlace: number
  /** The positions of a roster, best players first. */
  readonly positions: readonly string[]
  /** How many seasons there are; the last one is under way. */
  readonly seasons: number
  /** How many games each day of the week has, from the anchor's day of the week on. */
  readonly week: readonly number[]
  /** Days from a team's game to its next one, as long as the day's games can be had that way. */
  readonly rest: number
  /** Days of the season that lie before the anchor day. */
  readonly daysPlayed: number
  /** Points of both sides in an average game at the usual tempo. */
  readonly usualTotal: number
  /** Points on the board, both sides together, that a point of strength adds where both offences, or neither defence, have it. */
  readonly openness: number
  /** Points by which the last line before a game misses what the teams are worth; earlier lines miss it by more. */
  readonly doubt: number
  /** Points that the home side is better than elsewhere, both ends of the field together. */
  readonly homeMargin: number
  /** Deviation of a game's margin from what was expected, in points. */
  readonly deviation: number
  /** Deviation of the teams' strength, in points a game. */
  readonly spread: number
  /** Deviation of the teams' tempo, as a share of the usual length of a possession. */
  readonly tempo: number
  /** Of two teams of different conferences, the better one is the host so often, 0 to 1: it invites. */
  readonly invites: number
  /** Which of the leagues that could be drawn this one is. */
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
