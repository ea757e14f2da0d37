import type { BasketballSkills } from './skills.ts'

const ON_THE_FLOOR = 5
const FOULED_OUT = 5
const SHIFT = 2
const CLOSING = 36

/** The players on the floor. Minutes are whole, so that five players' minutes add up to the game's. */
export interface Rotation {
  /** The five of a minute, by roster index. */
  readonly floor: (minute: number, foulsOf: (player: number) => number) => readonly number[]
}

/**
 * A rotation by target minutes: every two minutes those come on who are furthest behind theirs; the best ones
 * close the game.
 */
export function rotationOf(players: readonly BasketballSkills[]): Rotation {
  const played = players.map(() => 0)
  let five: readonly number[] = []
  const wantOf = (player: number, minute: number) => {
    const target = players[player]?.minutes ?? 0
    return minute >= CLOSING ? target : (target * (minute + SHIFT)) / 40 - (played[player] ?? 0)
  }
  const floor: Rotation['floor'] = (minute, foulsOf) => {
    const mayPlay = (player: number) => foulsOf(player) < FOULED_OUT
    if (minute % SHIFT === 0 || !five.every(mayPlay)) {
      const free = [...players.keys()].filter(mayPlay)
      five = free.toSorted((one, other) => wantOf(other, minute) - wantOf(one, minute)).slice(0, ON_THE_FLOOR)
    }
    for (const player of five) played[player] = (played[player] ?? 0) + 1
    return five
  }
  return { floor }
}
