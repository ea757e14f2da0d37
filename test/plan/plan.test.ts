import { describe, expect, test } from 'vitest'
import { cheapest } from '../../src/plan/cover.ts'
import { numbersFrom } from '../../bench/day/random.ts'
import { gameNeeds, isListAlone, planGames } from '../../src/plan/games.ts'
import type { GameOperation } from '../../src/plan/games.ts'
import { nothing } from '../../src/plan/selection.ts'
import type { Selection as Want } from '../../src/plan/selection.ts'
import { tables } from '../../src/specification/tables.ts'
import { subsets } from './subsets.ts'

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
const least = (numbers: readonly number[]) => Math.min(...numbers)

describe('the games of a list', () => {
  const gameColumns = Object.keys(tables.game)
  const scores = ['game_id', 'away_score', 'home_score', 'clock', 'current_period', 'status']

  /**
   * What each operation supplies by the specification: columns, whole teams, joined rows; and whether it
   * lists.
   */
  const answers: Readonly<Record<GameOperation, readonly string[]>> = {
    getGames: ['the list', 'teams', ...gameColumns],
    getScores: ['the list', 'prediction', 'current odds', ...scores],
    readGames: gameColumns,
    readSeason: ['the list', ...gameColumns],
    readOdds: ['current odds'],
  }

  interface Selection {
    readonly selection: Want
    /** The same, as what has to be answered. */
    readonly things: readonly string[]
  }

  function select(random: () => number): Selection {
    const some = (names: readonly string[], share: number) => names.filter(() => random() < share)
    const columns = new Set(random() < 0.5 ? some(scores, 0.5) : some(gameColumns, random() * 0.3))
    const links = new Map<string, Want>()
    const things = new Set(['the list'])
    for (const side of ['home_team', 'away_team']) {
      if (random() < 0.6) continue
      columns.add(`${side}_id`)
      const team = new Set(some(['team_id', 'name', 'primary_color'], 0.4))
      const relations = new Set(some(['conference'], 0.1))
      links.set(side, { ...nothing, columns: team, relations })
      if (relations.size > 0 || team.has('name') || team.has('primary_color')) things.add('teams')
    }
    const relations = new Set(some(['prediction', 'current', 'history', 'boxscores'], 0.3))
    for (const column of columns) things.add(column)
    if (relations.has('prediction')) things.add('prediction')
    // The history, which one operation alone has, brings the current odds with it.
    if (relations.has('current') && !relations.has('history')) things.add('current odds')
    return { selection: { columns, relations, links }, things: [...things] }
  }

  test('are never planned dearer than by the best of all covering sets, for 3,000 selections', () => {
    const random = numbersFrom(2026)
    let several = 0
    for (let nth = 0; nth < 3_000; nth += 1) {
      const { selection, things } = select(random)
      const names = (Object.keys(answers) as GameOperation[]).filter(() => random() < 0.8) // the keys just written
      const sizes = Object.fromEntries(names.map((name) => [name, Math.ceil(random() * 40) * 500]))
      const bytes = (plan: readonly GameOperation[]) => sum(plan.map((name) => sizes[name] ?? Number.NaN))
      const has = (plan: readonly GameOperation[], thing: string) =>
        plan.some((name) => answers[name].includes(thing))
      const wanted = things.filter((thing) => thing !== 'game_id' && has(names, thing))
      const covers = (plan: readonly GameOperation[]) => wanted.every((thing) => has(plan, thing))
      const best = least(subsets(names).filter(covers).map(bytes))
      const plan = planGames(gameNeeds(selection), sizes)
      expect(covers(plan), `${JSON.stringify(things)} of ${JSON.stringify(sizes)}: ${plan.join()}`).toBe(true)
      expect(bytes(plan), `${JSON.stringify(things)} of ${JSON.stringify(sizes)}: ${plan.join()}`).toBe(best)
      if (plan.length > 1) several += 1
    }
    expect(several).toBeGreaterThan(300)
  })

  test('are read by id after the list only if that saves a quarter of the bytes and two tokens, 3,000 times', () => {
    const random = numbersFrom(11)
    const trips = { more: 0, spared: 0 }
    for (let nth = 0; nth < 3_000; nth += 1) {
      const { selection } = select(random)
      const needs = gameNeeds(selection)
      const size = () => Math.ceil(random() * 24) * 512
      const sizes = { getGames: size(), getScores: size() }
      const readLater = size()
      const bytes = (plan: readonly GameOperation[]) =>
        sum(plan.map((name) => (name === 'getGames' ? sizes.getGames : sizes.getScores)))
      const atOnce = planGames(needs, sizes)
      const first = planGames(new Set([...needs].filter((need) => need !== 'columns')), sizes)
      const saved = bytes(atOnce) - bytes(first) - readLater
      const isWorth = saved > bytes(atOnce) / 4 && saved >= 2 * 1024
      const isLater = needs.has('columns') && !needs.has('teams') && isWorth
      expect(planGames(needs, { ...sizes, readLater, bytesPerToken: 1024 })).toEqual(isLater ? first : atOnce)
      if (needs.has('columns') && !needs.has('teams')) trips[isWorth ? 'more' : 'spared'] += 1
    }
    expect(trips.more).toBeGreaterThan(20)
    expect(trips.spared).toBeGreaterThan(20)
  })

  test('are a list alone unless a field of them makes calls of its own', () => {
    const team = (relation: string) => ({ ...nothing, relations: new Set([relation]) })
    const lists: readonly (readonly [isAlone: boolean, selection: Partial<Want>])[] = [
      [true, { columns: new Set(['start_datetime']), relations: new Set(['prediction', 'current']) }],
      [true, { links: new Map([['pre', { ...nothing, columns: new Set(['over']) }]]) }],
      [false, { relations: new Set(['history']) }],
      [false, { links: new Map([['rest', nothing]]) }],
      [false, { links: new Map([['home_team', team('stats')]]) }],
      [false, { links: new Map([['home_team', { ...nothing, links: new Map([['elo', nothing]]) }]]) }],
    ]
    for (const [isAlone, selection] of lists) expect(isListAlone({ ...nothing, ...selection })).toBe(isAlone)
  })
})

describe('any suppliers of any needs', () => {
  test('are chosen as cheap as can be, and of equally cheap choices the fewest, 2,000 times', () => {
    const random = numbersFrom(7)
    for (let nth = 0; nth < 2_000; nth += 1) {
      const all = ['a', 'b', 'c', 'd', 'e'] as const
      const needs = new Set(all.filter(() => random() < 0.6))
      const suppliers = Array.from({ length: Math.floor(random() * 7) }, (_, index) => ({
        name: String(index),
        supplies: new Set(all.filter(() => random() < 0.4)),
        bytes: Math.floor(random() * 6),
      }))
      const possible = [...needs].filter((need) => suppliers.some(({ supplies }) => supplies.has(need)))
      const covering = subsets(suppliers).filter((chosen) =>
        possible.every((need) => chosen.some(({ supplies }) => supplies.has(need))),
      )
      const cost = (chosen: readonly { bytes: number }[]) => sum(chosen.map(({ bytes }) => bytes))
      const best = least(covering.map(cost))
      const plan = cheapest(needs, suppliers)
      expect(
        covering.map((chosen) =>
          chosen
            .map(({ name }) => name)
            .toSorted()
            .join(),
        ),
      ).toContain(
        plan
          .map(({ name }) => name)
          .toSorted()
          .join(),
      )
      expect(cost(plan)).toBe(best)
      const fewest = least(covering.filter((chosen) => cost(chosen) === best).map(({ length }) => length))
      expect(plan.length).toBe(fewest)
    }
  })
})
