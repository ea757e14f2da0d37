import { describe, expect, it } from 'vitest'
import { usualLeague } from '../../../src/service/leagues/leagues.ts'
import { chronicle } from '../../../src/service/numbers/chronicle.ts'
import { Confidence } from '../../../src/service/numbers/confidence.ts'

const days = Array.from({ length: 60 }, (_, day) =>
  new Date(Date.UTC(2025, 10, 1 + day)).toISOString().slice(0, 10),
)

/** Days of 40 games that are all said to have the same log odds; `share` of them come as they were said. */
function played(confidence: Confidence, on: readonly string[], logOdds: number, share: number): void {
  for (const day of on) {
    const games = Array.from({ length: 40 }, (_, at) => ({ game_id: `${day} ${at}`, won: at < 40 * share }))
    for (const { game_id } of games) confidence.scale(game_id, logOdds)
    confidence.learn(day, games)
  }
}

const factorOf = (confidence: Confidence) => confidence.scale('next', 1)

describe('confidence', () => {
  it('is one before anything is known', () => {
    expect(factorOf(new Confidence())).toBe(1)
  })

  it('stays where favourites win as often as was said', () => {
    const confidence = new Confidence()
    played(confidence, days, Math.log(3), 0.75)
    expect(factorOf(confidence)).toBeCloseTo(1, 6)
  })

  it('grows where favourites win more often, and comes to what is right', () => {
    const confidence = new Confidence()
    played(confidence, days, Math.log(3) / 1.3, 0.75)
    expect(factorOf(confidence)).toBeGreaterThan(1.2)
    expect(factorOf(confidence)).toBeLessThan(1.3)
  })

  it('shrinks where they win less often, from a favourite abroad as from one at home', () => {
    const [home, away] = [new Confidence(), new Confidence()]
    played(home, days, Math.log(3) * 1.3, 0.75)
    played(away, days, -Math.log(3) * 1.3, 0.25)
    expect(factorOf(home)).toBeLessThan(0.85)
    expect(factorOf(away)).toBeCloseTo(factorOf(home), 10)
  })

  it('takes one day for what it is: a small step', () => {
    const confidence = new Confidence()
    played(confidence, days.slice(0, 1), Math.log(3), 0.5)
    // 40 games of log odds 1.0986: slope −10.986, information 9.05 beside the 200 that are assumed.
    expect(factorOf(confidence)).toBeCloseTo(1 - 10.986 / 209.05, 3)
  })

  it('never turns a favourite round, whatever comes', () => {
    const [upsets, certain] = [new Confidence(), new Confidence()]
    played(upsets, days, 6, 0)
    played(certain, days, 0.5, 1)
    expect(factorOf(upsets)).toBe(0.5)
    expect(factorOf(certain)).toBe(2)
  })

  it('forgets: after months, new days weigh more than as many old ones', () => {
    const [early, late] = [new Confidence(), new Confidence()]
    for (const confidence of [early, late]) played(confidence, days.slice(0, 30), Math.log(3), 0.75)
    played(early, ['2025-12-01'], Math.log(3), 0.5)
    played(late, ['2026-06-01'], Math.log(3), 0.5)
    expect(factorOf(late)).toBeLessThan(factorOf(early))
  })

  it('ignores games of which nothing was said, and the order of the games of a day', () => {
    const [one, other] = [new Confidence(), new Confidence()]
    for (const confidence of [one, other])
      for (const id of ['a', 'b']) confidence.scale(id, id === 'a' ? 2 : -1)
    const [a, b] = [
      { game_id: 'a', won: false },
      { game_id: 'b', won: false },
    ]
    one.learn('2026-01-01', [a, { game_id: 'unknown', won: true }, b])
    other.learn('2026-01-01', [b, a])
    expect(factorOf(one)).toBeCloseTo(factorOf(other), 12)
    expect(factorOf(one)).not.toBe(1)
  })

  it('learns a day that comes late without going back in time', () => {
    const confidence = new Confidence()
    played(confidence, ['2026-01-02', '2026-01-01'], Math.log(3), 0.5)
    expect(factorOf(confidence)).toBeGreaterThan(0.85)
    expect(factorOf(confidence)).toBeLessThan(1)
  })
})

const rules = usualLeague.basketball.rules
const at = (day: string, hour: number) => `${day}T${hour}:00:00.000Z`
const meeting = (home: string, away: string, day: string) => ({
  game_id: `${home} ${away} ${day}`,
  season: 1,
  home_team_id: home,
  away_team_id: away,
  neutral_site: true,
  conference: true,
  day,
  starts: at(day, 18),
})
const result = (home: string, away: string, day: string, margin: number) => ({
  ...meeting(home, away, day),
  ended: at(day, 20),
  home_score: 70 + margin,
  away_score: 70,
})
const teams = ['a', 'b', 'c', 'd', 'e']
const before = new Map([
  ['a', { rating: 1800, games: 0 }],
  ['b', { rating: 1200, games: 0 }],
])
const question = meeting('c', 'd', days[50]!)

describe('the confidence of a season', () => {
  const chanceOf = (
    games: readonly (ReturnType<typeof result> | typeof question)[],
    opening = before,
    spreads?: ReadonlyMap<string, number>,
  ) => {
    const schedule = { rules, teams, games, ...(spreads && { spreads }) }
    return chronicle(schedule, opening).forecasts.get(question.game_id)?.home_percentage ?? 0
  }
  const spreads = (of: (game: { game_id: string }) => number, games: readonly { game_id: string }[]) =>
    new Map(games.map((game) => [game.game_id, of(game)]))

  it('learns from spreads what spreads are worth', () => {
    const upsets = days.slice(0, 40).map((day) => result('a', 'b', day, -1))
    const games = [...upsets, question]
    const said = spreads(() => -7, games)
    const alone = chanceOf(
      [question],
      before,
      spreads(() => -7, [question]),
    )
    expect(alone).toBeCloseTo(1 / (1 + Math.exp(-7 * rules.forecast.spread_weight)), 4)
    expect(chanceOf(games, before, said)).toBeLessThan(alone - 0.03)
    // A game without a spread is predicted as if no game had one.
    said.delete(question.game_id)
    const strong = new Map([...before, ['c', { rating: 1700, games: 0 }]])
    expect(chanceOf(games, strong, said)).toBe(chanceOf(games, strong))
    expect(chanceOf(games, strong)).toBeLessThan(chanceOf([question], strong))
  })

  it('learns nothing from a team outside the division, or from a draw', () => {
    const said = (games: readonly (ReturnType<typeof result> | typeof question)[]) =>
      chanceOf(
        games,
        before,
        spreads(() => -7, games),
      )
    const outside = days.slice(0, 40).map((day) => result('a', 'elsewhere', day, -1))
    const drawn = days.slice(0, 40).map((day) => result('a', 'b', day, 0))
    expect(said([...outside, question])).toBe(said([question]))
    expect(said([...drawn, question])).toBe(said([question]))
  })
})
