import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { csvFacts } from '../src/service/import/csv-facts.ts'
import { readOwnTables } from '../src/service/import/csv-tables.ts'
import { cfbFacts } from '../src/service/import/football-facts.ts'
import { readCfbTables } from '../src/service/import/football-tables.ts'
import { ncaaFacts } from '../src/service/import/basketball-facts.ts'
import { readNcaaTables } from '../src/service/import/basketball-tables.ts'
import type { Facts } from '../src/service/league/facts.ts'
import { seasonsOf } from '../src/service/league/slices.ts'
import { leagueKeys, leagueOfKey } from '../src/service/leagues/leagues.ts'
import type { Ratings } from '../src/service/numbers/elo.ts'
import { brier, calibrationSlope, logLoss, share } from './measures.ts'
import type { Call } from './measures.ts'
import { acrossSeasons, acrossWeeks, lateFromEarly } from './predictions/held-out.ts'
import { judgedSeason } from './predictions/seasons.ts'
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
 * How good the predictions of real seasons are. Every prediction rests on games of earlier days alone. Which
 * seasons the constants that ship were fitted to stands in `src/service/leagues/`: there their figures are
 * *in sample*. Beside them stand figures *out of sample*: the weights of the prediction are fitted again to
 * other games than those that are judged.
 *
 * @param folder where season folders lie, named `ncaa-…`, `cfb-…`, or by a league (`nba-2024`) if they have
 * this service's own CSV format
 * @returns whether the predictions are worth what they have to be
 */
export async function run(folder = data, print: (line: string) => void = console.log): Promise<boolean> {
  let good = true
  for (const [sport, title, read] of await readSeasons(folder)) {
    const seasons = inTurn(read)
    for (const season of seasons) good = report(sport, title, season, print) && good
    good = reportOthers(sport, seasons, print) && good
  }
  return good
}

type Sport = 'basketball' | 'football'

interface ReadSeason {
  readonly sport: Sport
  readonly name: string
  /** Seasons of one league have the same teams. */
  readonly league: string
  readonly facts: Facts
}

/** A season begins with the ratings that the year before has left in its league, where that is there too. */
function inTurn(read: readonly ReadSeason[]): JudgedSeason[] {
  const left = new Map<string, Ratings>()
  return read.map(({ name, league, facts }) => {
    const season = seasonsOf(facts)[0] ?? 0
    const judged = judgedSeason(name, facts, left.get(`${league} ${season - 1}`))
    left.set(`${league} ${season}`, judged.ratings)
    return judged
  })
}

async function readSeasons(folder: string) {
  const seasons: ReadSeason[] = []
  for (const name of readdirSync(folder).toSorted()) {
    const season = await readSeason(name, join(folder, name))
    if (season) seasons.push(season)
  }
  const of = (sport: Sport) => seasons.filter((season) => season.sport === sport)
  return [
    ['basketball', 'both teams of the division', of('basketball')],
    ['football', 'all games', of('football')],
  ] as const
}

async function readSeason(name: string, source: string): Promise<ReadSeason | undefined> {
  if (name.startsWith('ncaa-')) {
    const { facts } = ncaaFacts(await readNcaaTables(source, quiet), colourless)
    return { sport: 'basketball', name, league: 'ncaa', facts }
  }
  if (name.startsWith('cfb-')) {
    const { facts } = cfbFacts(await readCfbTables(source, quiet), colourless)
    return { sport: 'football', name, league: 'cfb', facts }
  }
  const league = leagueOfKey(leagueKeys.find((key) => name.startsWith(key)) ?? '')
  if (!league) return undefined
  const { sport } = league.rules
  const { facts } = csvFacts(await readOwnTables(source, sport, quiet), league, league.key)
  return { sport, name, league: league.key, facts }
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
  return judged[sport].every((calls) => isGood(sport, name, calls, print))
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
  const good = judged.map(({ fittedTo, judgedOn, calls }) =>
    isGood(sport, `${fittedTo} → ${judgedOn}`, calls, print),
  )
  return good.every(Boolean)
}

const called = (games: readonly Judged[], chance: (game: Judged) => number): Call[] =>
  games.map((game) => ({ chance: chance(game), won: game.won }))

const secondHalf = (games: readonly Judged[]) => games.slice(Math.floor(games.length / 2))

function line(name: string, calls: readonly Call[]): string[] {
  const flat = new Set(calls.map(({ chance }) => chance)).size === 1
  const slope = flat ? '' : calibrationSlope(calls).toFixed(3)
  return [name, String(calls.length), logLoss(calls).toFixed(4), brier(calls).toFixed(4), slope]
}

function isGood(sport: Sport, name: string, calls: readonly Call[], print: (line: string) => void): boolean {
  const [loss, slope] = [logLoss(calls), calibrationSlope(calls)]
  const [low, high] = bounds.slope
  const good = loss <= bounds[sport] && slope >= low && slope <= high
  if (!good)
    print(
      `  ${name} missed: log loss ${loss.toFixed(4)} of at most ${bounds[sport]}, slope ${slope.toFixed(3)} of ${low} to ${high}`,
    )
  return good
}
