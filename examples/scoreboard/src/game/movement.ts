import { LineMovementFragmentDoc, readFragment } from 'statline-client'
import type { FragmentType, LineMovementFragment } from 'statline-client'

/** One movement of the line, at a known moment. */
export interface Movement {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly isLive: boolean
  /** Points given to the home team. */
  readonly spread: number | null
  readonly total: number | null
  readonly moneyHome: number | null
  readonly moneyAway: number | null
  /** The chance of a home win that the money lines stand for, 0 to 1. */
  readonly homeChance: number | null
}

function movementOf(row: LineMovementFragment): Movement[] {
  if (!row.dateOfEntry) return []
  return [
    {
      id: row.oddsId,
      at: Date.parse(row.dateOfEntry),
      isLive: row.live ?? false,
      spread: row.spreadHome ?? null,
      total: row.over ?? null,
      moneyHome: row.moneyLineHome ?? null,
      moneyAway: row.moneyLineAway ?? null,
      homeChance: row.impliedProbability?.home ?? null,
    },
  ]
}

type Rows = readonly FragmentType<typeof LineMovementFragmentDoc>[] | null | undefined

/** All movements of a game's line, oldest first. */
export const movementsOf = (rows: Rows): Movement[] =>
  (rows ?? [])
    .flatMap((row) => movementOf(readFragment(LineMovementFragmentDoc, row)))
    .toSorted((a, b) => a.at - b.at)

export interface LinePhase {
  readonly label: string
  readonly line: Movement
}

/**
 * The lines that a reader asks for: the opening one, the last one before the start, and the one of a game
 * under way. What they are called depends on whether the game is to come, under way or over.
 */
export function phasesOf(movements: readonly Movement[], state: 'before' | 'live' | 'over'): LinePhase[] {
  const before = movements.filter(({ isLive }) => !isLive)
  const [opening, closing] = [before[0], before.length > 1 ? before.at(-1) : undefined]
  const live = movements.findLast(({ isLive }) => isLive)
  return [
    opening && {
      label: !closing && state === 'before' ? 'Opening, still current' : 'Opening',
      line: opening,
    },
    closing && { label: state === 'before' ? 'Current' : 'Closing', line: closing },
    live && { label: state === 'over' ? 'Last live' : 'Live', line: live },
  ].filter((phase) => phase !== undefined)
}
