import type { Row } from '../../src/specification/tables.ts'
import type { Facts, Line } from '../../src/service/league/facts.ts'
import { scheduleOf } from '../../src/service/league/seasons.ts'
import { seasonFactsOf, seasonsOf } from '../../src/service/league/slices.ts'
import { possessions } from '../../src/service/numbers/basketball.ts'
import { chronicle } from '../../src/service/numbers/chronicle.ts'
import type { Ratings } from '../../src/service/numbers/elo.ts'
import type { Forecast } from '../../src/service/numbers/predictions.ts'
import { isResult } from '../../src/service/numbers/result.ts'
import type { Result } from '../../src/service/numbers/result.ts'
import type { LeagueRules } from '../../src/service/numbers/rules.ts'
import { deviation, logLoss, mean, share } from '../measures.ts'

/** What one season of a league looks like; null if the source does not tell. Shares are 0 to 1. */
export interface Figures {
  readonly games: number
  /** Points of one side. */
  readonly score: number
  /** Points on the board above the closing line. */
  readonly totalResidual: number | null
  readonly overs: number | null
  /** Of games that are not at a neutral site. */
  readonly homeWins: number
  /** Of the gaps between a team's games, those of one day. */
  readonly oneDayGaps: number
  /** Log loss of the predictions, of the closing line, and how often both are on one side. */
  readonly predictions: number
  readonly market: number | null
  readonly sameSide: number | null
  /** Possessions in 40 minutes, basketball alone: the mean of the teams and their deviation. */
  readonly pace: number | null
  readonly paceDeviation: number | null
  /** Minutes from midnight (UTC) to the earliest and the latest start of a day. */
  readonly firstStart: number | null
  readonly lastStart: number | null
}

/** A finished game between two teams of the division, and what was expected of it. */
interface Judged {
  readonly game: Result
  readonly forecast: Forecast
  readonly line: Row<'odds'> | null
}

/** The figures of each season of a league, by season. */
export function figuresOf(facts: Facts): Map<number, Figures> {
  const lines = new Map(
    facts.odds.filter(({ live, current }) => live === 0 && current === 1).map((row) => [row.game_id, row]),
  )
  let before: Ratings | undefined = facts.opening
  const figures = new Map<number, Figures>()
  for (const season of seasonsOf(facts)) {
    const schedule = scheduleOf(seasonFactsOf(facts, season))
    const story = chronicle(schedule, before)
    before = story.ratings
    const members = new Set(schedule.teams)
    const judged = schedule.games.filter(isResult).flatMap((game) => {
      const forecast = story.forecasts.get(game.game_id)
      const within = members.has(game.home_team_id) && members.has(game.away_team_id)
      return forecast && within ? [{ game, forecast, line: lines.get(game.game_id) ?? null }] : []
    })
    figures.set(season, seasonFigures(facts, judged))
  }
  return figures
}

function seasonFigures(facts: Facts, judged: readonly Judged[]): Figures {
  const games = judged.map(({ game }) => game)
  return {
    games: games.length,
    score: mean(games.flatMap((game) => [game.home_score, game.away_score])),
    homeWins: share(games.filter((game) => !game.neutral_site).map(homeWon)),
    oneDayGaps: share(gapsOf(games).map((days) => days === 1)),
    predictions: logLoss(judged.map(({ game, forecast }) => call(forecast.home_percentage, game))),
    ...marketFigures(judged),
    ...paceFigures(facts, games),
    ...startFigures(games),
  }
}

const homeWon = (game: Result) => game.home_score > game.away_score
const marginOf = (game: Result) => game.home_score - game.away_score
const call = (chance: number, game: Result) => ({ chance, won: homeWon(game) })

function marketFigures(judged: readonly Judged[]) {
  const lined = judged.flatMap(({ game, forecast, line }) =>
    line?.spread_home == null || line.over === null
      ? []
      : [{ game, forecast, spread: line.spread_home, over: line.over }],
  )
  if (lined.length === 0) return { totalResidual: null, overs: null, market: null, sameSide: null }
  const beyond = lined.map(({ game, over }) => game.home_score + game.away_score - over)
  const wide = Math.sqrt(mean(lined.map(({ game, spread }) => (marginOf(game) + spread) ** 2)))
  return {
    totalResidual: mean(beyond),
    overs: share(beyond.filter((points) => points !== 0).map((points) => points > 0)),
    market: logLoss(lined.map(({ game, spread }) => call(1 / (1 + Math.exp((1.702 * spread) / wide)), game))),
    sameSide: share(
      lined
        .filter(({ spread, forecast }) => spread !== 0 && forecast.home_percentage !== 0.5)
        .map(({ spread, forecast }) => spread < 0 === forecast.home_percentage > 0.5),
    ),
  }
}

/** Days from each game of a team to its next one. */
function gapsOf(games: readonly Result[]): number[] {
  return [...byTeam(games, (game) => Date.parse(game.day) / 86_400_000).values()].flatMap((days) => {
    const ascending = days.toSorted((one, other) => one - other)
    return ascending.slice(1).map((day, at) => day - (ascending[at] ?? day))
  })
}

function byTeam(games: readonly Result[], valueOf: (game: Result) => number | null): Map<string, number[]> {
  const teams = new Map<string, number[]>()
  for (const game of games) {
    const value = valueOf(game)
    if (value === null) continue
    for (const team of [game.home_team_id, game.away_team_id])
      teams.set(team, [...(teams.get(team) ?? []), value])
  }
  return teams
}

function paceFigures(facts: Facts, games: readonly Result[]) {
  if (facts.league.rules.sport !== 'basketball') return { pace: null, paceDeviation: null }
  const lines = new Map(facts.boxscores.map((row) => [`${row.game_id} ${row.team_id}`, row.line]))
  const paces = byTeam(games, (game) => {
    const [home, away] = [game.home_team_id, game.away_team_id].map((team) =>
      lines.get(`${game.game_id} ${team}`),
    )
    return home && away ? paceOf(home, away, facts.league.rules) : null
  })
  const teams = [...paces.values()].map(mean)
  return { pace: mean(teams), paceDeviation: deviation(teams) }
}

/** Possessions of a side in a game without overtime; `minutes_played` are five players'. */
function paceOf(home: Line, away: Line, rules: LeagueRules): number | null {
  const [ours, theirs] = [home, away].map((line) =>
    possessions((name) => line[name] ?? null, rules.free_throw_possessions),
  )
  const played = home['minutes_played']
  return ours == null || theirs == null || !played
    ? null
    : (((ours + theirs) / 2) * 5 * rules.minutes) / played
}

/** Null if the source has days alone. */
function startFigures(games: readonly Result[]) {
  const minutes = games.map(({ starts }) => (Date.parse(starts) / 60_000) % 1_440)
  if (minutes.every((minute) => minute === 0)) return { firstStart: null, lastStart: null }
  return { firstStart: Math.min(...minutes), lastStart: Math.max(...minutes) }
}
