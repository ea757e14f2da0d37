import { describe, expect, test } from 'vitest'
import { numbersFrom } from '../../bench/day/random.ts'
import { planBoxscores } from '../../src/plan/boxscores.ts'
import type { BoxscoreWanted } from '../../src/plan/boxscores.ts'

describe('boxscores', () => {
  /** The result of a call: every existing pair of its games and teams; both teams if it names none. */
  const brought = (
    call: ReturnType<typeof planBoxscores>[number],
    sides: ReadonlyMap<string, readonly string[]>,
  ) =>
    [...call.games].flatMap((game) =>
      (sides.get(game) ?? [])
        .filter((team) => call.teams.size === 0 || call.teams.has(team))
        .map((team) => `${game} ${team}`),
    )

  test('are brought as they are wanted, each once and no others, 2,000 times', () => {
    const random = numbersFrom(99)
    for (let nth = 0; nth < 2_000; nth += 1) {
      const teams = Array.from({ length: 4 }, (_, index) => `team ${index}`).toSorted(() => random() - 0.5)
      const sides = new Map(
        Array.from({ length: 6 }, (_, index) => {
          const home = Math.floor(random() * 4)
          const away = (home + 1 + Math.floor(random() * 3)) % 4
          return [`game ${index}`, [teams[away] ?? '', teams[home] ?? '']] as readonly [
            string,
            readonly string[],
          ]
        }),
      )
      const asks = [...sides].flatMap(([game, [away = '', home = '']]): BoxscoreWanted[] => {
        const both = { game, team: null, opponent: null }
        const [one, other] = [
          { game, team: away, opponent: home },
          { game, team: home, opponent: away },
        ]
        const chance = random()
        return chance < 0.25
          ? []
          : chance < 0.4
            ? [both]
            : chance < 0.5
              ? [one, other]
              : chance < 0.75
                ? [one]
                : [other]
      })
      const expected = asks.flatMap(({ game, team }) =>
        (team === null ? (sides.get(game) ?? []) : [team]).map((one) => `${game} ${one}`),
      )
      const calls = planBoxscores(asks)
      expect(calls.flatMap((call) => brought(call, sides)).toSorted()).toEqual(
        [...new Set(expected)].toSorted(),
      )
    }
  })
})
