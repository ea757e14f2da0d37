import type { Row } from '../../specification/tables.ts'
import type { Competition } from './competitions.ts'
import { sampleId } from './ids.ts'
import { below, between, chance, pick, randomOf } from './random.ts'
import type { Random } from './random.ts'
import { firstNames, lastNames, places } from './words.ts'

/** A player of the sample league. */
export interface SamplePlayer {
  readonly ordinal: number
  readonly position: string
  readonly row: Row<'player'>
}

/** Inches and pounds, from – to. */
type Build = readonly [low: number, high: number, light: number, heavy: number]

const builds: Readonly<Record<string, Build>> = {
  G: [71, 77, 165, 205],
  F: [77, 81, 200, 240],
  C: [81, 86, 230, 275],
  QB: [72, 77, 200, 235],
  RB: [68, 73, 190, 225],
  WR: [69, 76, 170, 215],
  TE: [75, 79, 235, 260],
  DL: [74, 78, 265, 325],
  LB: [72, 76, 220, 250],
  DB: [69, 74, 175, 205],
  K: [69, 73, 165, 195],
  P: [71, 76, 180, 215],
}

/** A new player; his team's name is his college, and he is not drafted. */
export function newPlayer(
  seed: string,
  { sport }: Competition,
  ordinal: number,
  position: string,
  college: string,
): SamplePlayer {
  const random = randomOf(seed, sport, 'player', ordinal)
  const player_id = sampleId('player', `${sport}/${ordinal}`, seed)
  const row = {
    player_id,
    first_name: pick(random, firstNames),
    last_name: pick(random, lastNames),
    position,
    ...sizeOf(random, position),
    number: String(between(random, 0, sport === 'basketball' ? 55 : 99)),
    hometown: chance(random, 0.1) ? null : pick(random, places),
    guid: player_id,
    deleted: 0,
    college: chance(random, 0.15) ? null : college,
    draft_year: null,
    draft_round: null,
    draft_number: null,
  }
  return { ordinal, position, row }
}

function sizeOf(random: Random, position: string) {
  const [low, high, light, heavy] = builds[position] ?? [70, 78, 180, 220]
  const inches = between(random, low, high)
  const weight = chance(random, 0.08) ? null : between(random, light, heavy)
  return { height: `${Math.floor(inches / 12)}-${inches % 12}`, weight }
}

/** Gives each player of a roster his own shirt number, his first choice if it is free. */
export function numbered(players: readonly SamplePlayer[]): SamplePlayer[] {
  const taken = new Set<number>()
  return players.map((player) => {
    let number = Number(player.row.number)
    while (taken.has(number)) number = (number + 1) % 100
    taken.add(number)
    return { ...player, row: { ...player.row, number: String(number) } }
  })
}

/** A player who has left for a professional league. */
export function drafted(player: SamplePlayer, year: number, pickNumber: number): SamplePlayer {
  const draft = { draft_year: year, draft_round: pickNumber <= 30 ? 1 : 2, draft_number: pickNumber }
  return { ...player, row: { ...player.row, ...draft } }
}

export function coachRow(seed: string, { sport }: Competition, ordinal: number): Row<'coach'> {
  const random = randomOf(seed, sport, 'coach', ordinal)
  const coach_id = sampleId('coach', `${sport}/${ordinal}`, seed)
  const last_name = lastNames[below(random, lastNames.length)] ?? 'Voss'
  return { coach_id, first_name: pick(random, firstNames), last_name, guid: coach_id, deleted: 0 }
}
