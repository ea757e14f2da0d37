import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { cfbFacts } from '../src/service/import/football-facts.ts'
import { readCfbTables } from '../src/service/import/football-tables.ts'
import { ncaaFacts } from '../src/service/import/basketball-facts.ts'
import { readNcaaTables } from '../src/service/import/basketball-tables.ts'
import type { Facts } from '../src/service/league/facts.ts'
import { brier, calibrationSlope, logLoss, mean, share } from './measures.ts'
import type { Call } from './measures.ts'
import { acrossSeasons, acrossWeeks, lateFromEarly } from './predictions/held-out.ts'
import { judgedSeasons } from './predictions/seasons.ts'
import type { Judged, JudgedSeason } from './predictions/seasons.ts'
import { table } from './table.ts'

const quiet = () => {}
const colourless = { byTeam: new Map(), idBySchool: new Map(), read: [] }
const data = join(import.meta.dirname, '../../shared/data')

/**
 * What predictions have to be worth: of basketball from ratings alone, of football with the closing spread
 * too.
 */
const bounds = { basketball: 0.57, football: 0.51, slope: [0.95, 1.05] } as const

/**
 * How good the predictions of real seasons are. Every prediction rests on games of earlier days alone. The
 * constants that ship were fitted to the first season of each sport, so that their figures are *in sample*
 * there. Beside them stand figures *out of sample*: the weights of the prediction are fitted again to other
 * games than those that are judged.
 *
 * @param folder where season folders lie, named `ncaa-…` or `cfb-…`
 * @returns whether the predictions are worth what they have to be
 */
export async function run(folder = data, print: (line: string) => void = console.log): Promise<boolean> {
  let good = true
  for (const [sport, title, leagues] of await readSeasons(folder)) {
    const seasons = leagues.flatMap(({ name, facts }) => judgedSeasons(name, facts))
    for (const season of seasons) good = report(sport, title, season, print) && good
    good = reportOthers(sport, seasons, print) && good
  }
  return good
}

type Sport = 'basketball' | 'football'

async function readSeasons(folder: string) {
  const names = readdirSync(folder).toSorted()
  const basketball: { name: string; facts: Facts }[] = []
  const football: { name: string; facts: Facts }[] = []
  for (const name of names) {
    const source = join(folder, name)
    if (name.startsWith('ncaa-'))
      basketball.push({ name, facts: ncaaFacts(await readNcaaTables(source, quiet), colourless).facts })
    if (name.startsWith('cfb-'))
      football.push({ name, facts: cfbFacts(await readCfbTables(source, quiet), colourless).facts })
  }
  return [
    ['basketball', 'both teams of the division', basketball],
    ['football', 'all games', football],
  ] as const
}

function report(sport: Sport, title: string, season: JudgedSeason, print: (line: string) => void): boolean {
  const { name, games } = season
  const lined = games.filter(({ spread }) => spread !== null)
  const homeWins = share(games.map(({ won }) => won))
  const alone = acrossWeeks(games, 'alone')
  const lines = [
    line(
      'as shipped, ratings alone',
      called(games, ({ alone }) => alone),
    ),
    line(
      'as shipped, second half',
      called(secondHalf(games), ({ alone }) => alone),
    ),
    line('out of sample: other weeks', alone),
    line('out of sample: first half → second', lateFromEarly(games, 'alone')),
    line('in hindsight: all other days', acrossWeeks(games, 'in_hindsight')),
    line('in hindsight, second half', lateFromEarly(games, 'in_hindsight')),
  ]
  const judged: Record<Sport, readonly Call[][]> = {
    basketball: [called(games, (game) => game.alone), alone],
    football: [],
  }
  if (lined.length > 0) {
    const withSpread = acrossWeeks(lined, 'with_spread')
    judged.football = [called(lined, (game) => game.withSpread), withSpread]
    lines.push(
      line(
        'with the closing spread, as shipped',
        called(lined, (game) => game.withSpread),
      ),
      line('with the closing spread, other weeks', withSpread),
      line(
        'closing spread alone',
        called(lined, (game) => game.market),
      ),
    )
  }
  lines.push(
    line(
      'share of home wins',
      called(games, () => homeWins),
    ),
    line(
      'coin',
      called(games, () => 0.5),
    ),
  )
  print(`\n${name}, ${title}: ${games.length} games`)
  print(table(['', 'games', 'log loss', 'Brier', 'slope'], lines))
  return judged[sport].every((calls) => isGood(sport, calls, print))
}

/** Each season by what was fitted to another. Its bounds are those of a season judged by itself. */
function reportOthers(
  sport: Sport,
  seasons: readonly JudgedSeason[],
  print: (line: string) => void,
): boolean {
  const judged = acrossSeasons(seasons, sport === 'basketball' ? 'alone' : 'with_spread')
  if (judged.length === 0) return true
  const lines = judged.map(({ fittedTo, judgedOn, calls }) => line(`${fittedTo} → ${judgedOn}`, calls))
  print(`\n${sport}: fitted to one season → judged on another`)
  print(table(['', 'games', 'log loss', 'Brier', 'slope'], lines))
  return judged.map(({ calls }) => isGood(sport, calls, print)).every(Boolean)
}

const called = (games: readonly Judged[], chance: (game: Judged) => number): Call[] =>
  games.map((game) => ({ chance: chance(game), won: game.won }))

const secondHalf = (games: readonly Judged[]) => games.slice(Math.floor(games.length / 2))

function line(name: string, calls: readonly Call[]): string[] {
  const flat = new Set(calls.map(({ chance }) => chance)).size === 1
  const slope = flat ? '' : calibrationSlope(calls).toFixed(3)
  return [name, String(calls.length), logLoss(calls).toFixed(4), brier(calls).toFixed(4), slope]
}

function isGood(sport: Sport, calls: readonly Call[], print: (line: string) => void): boolean {
  const [loss, slope] = [logLoss(calls), calibrationSlope(calls)]
  const [low, high] = bounds.slope
  const good = loss <= bounds[sport] && slope >= low && slope <= high
  if (!good)
    print(
      `  missed: log loss at most ${bounds[sport]}, slope ${low} to ${high}; mean ${mean([loss]).toFixed(4)}`,
    )
  return good
}
