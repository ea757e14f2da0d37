import { join } from 'node:path'
import { cfbFacts } from '../src/service/import/cfbfacts.ts'
import { readCfbTables } from '../src/service/import/cfbtables.ts'
import { ncaaFacts } from '../src/service/import/ncaafacts.ts'
import { readNcaaTables } from '../src/service/import/ncaatables.ts'
import type { Facts } from '../src/service/league/facts.ts'
import { scheduleOf } from '../src/service/league/seasons.ts'
import { seasonFactsOf, seasonsOf } from '../src/service/league/slices.ts'
import { chronicle } from '../src/service/numbers/chronicle.ts'
import { isResult } from '../src/service/numbers/result.ts'
import type { Result } from '../src/service/numbers/result.ts'

/** The probability of a home win, 0 to 1, and the result. */
interface Call {
  readonly chance: number
  readonly won: boolean
}

type Forecaster = readonly [name: string, chance: (game: Result) => number | null]

const quiet = () => {}
const colourless = { byTeam: new Map(), idBySchool: new Map(), read: [] }
const data = join(import.meta.dirname, '../../shared/data')

/**
 * Measures the predictions of both real seasons by Brier score and log loss, beside a coin, the share of home
 * wins, and the closing spread if the source has it. Lower is better. The last column is the log loss as a
 * share of the coin’s.
 *
 * @param folder the folder of `ncaa-mbb-2026` and `cfb-2025`
 */
export async function run(folder = data, print: (line: string) => void = console.log): Promise<void> {
  const basketball = ncaaFacts(await readNcaaTables(join(folder, 'ncaa-mbb-2026'), quiet), colourless).facts
  report('basketball, both teams of the division', basketball, print)
  const football = cfbFacts(await readCfbTables(join(folder, 'cfb-2025'), quiet), colourless).facts
  report('football', football, print)
}

function report(title: string, facts: Facts, print: (line: string) => void): void {
  const [season = 0] = seasonsOf(facts)
  const schedule = scheduleOf(seasonFactsOf(facts, season))
  const members = new Set(schedule.teams)
  const games = schedule.games
    .filter(isResult)
    .filter((game) => members.has(game.home_team_id) && members.has(game.away_team_id))
  const { forecasts } = chronicle(schedule)
  const ours: Forecaster = ['this service', (game) => forecasts.get(game.game_id)?.home_percentage ?? null]
  const spread: Forecaster = ['closing spread', spreadChances(facts, games)]
  compare(`${title}, whole season`, games, [ours, ...baselines(games)], print)
  const late = games.slice(Math.floor(games.length / 2))
  compare(`${title}, second half`, late, [ours, ...baselines(late)], print)
  const lined = games.filter((game) => spread[1](game) !== null)
  if (lined.length > 0)
    compare(`${title}, games with a line`, lined, [ours, spread, ...baselines(lined)], print)
}

const homeWon = (game: Result) => game.home_score > game.away_score

function baselines(games: readonly Result[]): Forecaster[] {
  const share = games.filter(homeWon).length / games.length
  return [
    ['share of home wins', () => share],
    ['coin', () => 0.5],
  ]
}

/**
 * The probability that a spread implies: margins are normally distributed around it, with this season's
 * deviation, which is the best case for the market.
 */
function spreadChances(facts: Facts, games: readonly Result[]): Forecaster[1] {
  const spreads = new Map(facts.odds.map((row) => [row.game_id, row.spread_home]))
  const misses = games.flatMap((game) => {
    const spread = spreads.get(game.game_id)
    return spread == null ? [] : [game.home_score - game.away_score + spread]
  })
  const deviation = Math.sqrt(misses.reduce((sum, miss) => sum + miss * miss, 0) / misses.length)
  return (game) => {
    const spread = spreads.get(game.game_id)
    return spread == null ? null : normal(-spread / deviation)
  }
}

/** The standard normal distribution: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.2.17. */
function normal(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x))
  const series = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153]
  const tail =
    (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * series.reduce((sum, factor) => (sum + factor) * t, 0)
  return x >= 0 ? 1 - tail : tail
}

function compare(
  title: string,
  games: readonly Result[],
  forecasters: readonly Forecaster[],
  print: (line: string) => void,
): void {
  print(`${title}: ${games.length} games`)
  print(
    `  ${'forecast'.padEnd(20)} ${'Brier'.padStart(7)} ${'log loss'.padStart(9)} ${'of a coin'.padStart(10)}`,
  )
  for (const [name, chance] of forecasters) {
    const calls = games.map((game) => ({ chance: chance(game) ?? 0.5, won: homeWon(game) }))
    const loss = logLoss(calls)
    print(
      `  ${name.padEnd(20)} ${brier(calls).toFixed(4).padStart(7)} ${loss.toFixed(4).padStart(9)} ${(loss / Math.LN2).toFixed(3).padStart(10)}`,
    )
  }
}

/** Glenn Brier, “Verification of forecasts expressed in terms of probability” (1950), for two outcomes: 0 is right, 0.25 a coin. */
const brier = (calls: readonly Call[]) => mean(calls.map(({ chance, won }) => (chance - (won ? 1 : 0)) ** 2))

const logLoss = (calls: readonly Call[]) =>
  mean(calls.map(({ chance, won }) => -Math.log(Math.max(1e-6, won ? chance : 1 - chance))))

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
