import type { Row } from '../../specification/tables.ts'
import { MINUTE, timestampOf } from './calendar.ts'
import { sampleId } from './ids.ts'
import type { SampleGame } from './league.ts'
import { bell, randomOf } from './random.ts'
import { scoreOf, tallyOf } from './tally.ts'
import { shareLeft } from './timeline.ts'
import type { Timeline } from './timeline.ts'

/** The market's expectation of a game: the home team's lead and both teams' points at its end. */
export interface Expectation {
  readonly margin: number
  readonly total: number
  /** Deviation of the margin, in points; 0 once the game is decided. */
  readonly deviation: number
}

/** A line at a moment, in milliseconds since 1970. */
export interface Movement {
  readonly at: number
  readonly expected: Expectation
}

/** Hours before the start of each new line, with its uncertainty as a multiple of the last one's. */
const settings = [
  { hours: 96, doubts: 2 },
  { hours: 48, doubts: 1.7 },
  { hours: 24, doubts: 1.4 },
  { hours: 6, doubts: 1.2 },
  { hours: 1, doubts: 1 },
]
/** The stake to win 100 on an even chance: includes the bookmaker's share. */
const VIG = 0.045

/** The expectation from the teams' strengths before the game. */
export function expectationOf({ competition, teams, fixture }: SampleGame): Expectation {
  const [home, away] = [teams.home.strength, teams.away.strength]
  const margin = home.offense + home.defense - away.offense - away.defense
  const surplus = home.offense + away.offense - home.defense - away.defense
  return {
    margin: margin + (fixture.neutral ? 0 : competition.homeMargin),
    total: (competition.usualTotal * 2) / (home.tempo + away.tempo) + competition.openness * surplus,
    deviation: competition.deviation,
  }
}

/** The pre-game lines: the first is a guess, and each is nearer to the teams' strengths. */
export function pregameMovements(game: SampleGame): Movement[] {
  const random = randomOf(game.seed, game.key, 'market')
  const truth = expectationOf(game)
  const [missed, strayed] = [bell(random), bell(random)]
  return settings.map(({ hours, doubts }) => {
    const doubt = game.competition.doubt * doubts
    const noise = () => (bell(random) * doubt) / 4
    const margin = truth.margin + missed * doubt + noise()
    const total = truth.total + strayed * doubt + noise()
    return { at: game.fixture.start - hours * 60 * MINUTE, expected: { ...truth, margin, total } }
  })
}

/** The live lines up to `until`: the score so far, and the expectation for the rest. */
export function liveMovements(game: SampleGame, timeline: Timeline, until: number): Movement[] {
  const { liveEvery } = game.competition
  const before = pregameMovements(game).at(-1)?.expected ?? expectationOf(game)
  const last = Math.min(timeline.duration - 1, (until - game.fixture.start) / 1_000)
  const count = Math.max(0, Math.floor(last / liveEvery))
  return Array.from({ length: count }, (_, nth) => {
    const elapsed = (nth + 1) * liveEvery
    const expected = expectedAt(timeline, before, elapsed)
    return { at: game.fixture.start + elapsed * 1_000, expected }
  })
}

function expectedAt(timeline: Timeline, before: Expectation, elapsed: number): Expectation {
  const tally = tallyOf(timeline, elapsed)
  const [home, away] = [scoreOf(tally, 'home'), scoreOf(tally, 'away')]
  const left = Math.max(0.01, shareLeft(timeline, elapsed))
  return {
    margin: home - away + before.margin * left,
    total: home + away + before.total * left,
    deviation: before.deviation * Math.sqrt(left),
  }
}

/** The home team's probability, 0.001 to 0.999, by a logistic curve close to the normal one. */
export function homeChance({ margin, deviation }: Expectation): number {
  const chance = 1 / (1 + Math.exp((-1.702 * margin) / deviation))
  return Math.min(0.999, Math.max(0.001, Math.round(chance * 1_000) / 1_000))
}

/** A game's lines as rows, oldest first; the last one is current. */
export function oddsRows(game: SampleGame, live: 0 | 1, movements: readonly Movement[]): Row<'odds'>[] {
  return movements.map(({ at, expected }, nth) => {
    const spread_home = halves(-expected.margin)
    const total = halves(expected.total)
    const chance = homeChance(expected)
    return {
      odds_id: sampleId('odds', `${game.key}/${live}/${nth}`, game.seed),
      game_id: game.id,
      money_line_away: moneyLine(1 - chance),
      money_line_home: moneyLine(chance),
      spread_away: -spread_home + 0,
      spread_home,
      over: total,
      under: total,
      date_of_entry: timestampOf(at),
      live,
      current: nth === movements.length - 1 ? 1 : 0,
      deleted: 0,
    }
  })
}

/** A game's live predictions as rows, oldest first; the last one is current. */
export function livePredictionRows(game: SampleGame, movements: readonly Movement[]): Row<'prediction'>[] {
  return movements.map(({ at, expected }, nth) => {
    const home_percentage = homeChance(expected)
    const id = sampleId('prediction', `${game.key}/${nth}`, game.seed)
    return {
      prediction_id: id,
      game_id: game.id,
      season: game.season,
      home_percentage,
      away_percentage: Math.round((1 - home_percentage) * 1_000) / 1_000,
      home_score: Math.max(0, Math.round((expected.total + expected.margin) / 2)),
      away_score: Math.max(0, Math.round((expected.total - expected.margin) / 2)),
      live: 1,
      current: nth === movements.length - 1 ? 1 : 0,
      date_of_entry: timestampOf(at),
      guid: id,
      deleted: 0,
    }
  })
}

// Adding 0 turns −0 into 0.
const halves = (points: number) => Math.round(points * 2) / 2 + 0

/** American odds, to five, with the bookmaker's share. */
function moneyLine(chance: number): number {
  const laid = Math.min(0.98, Math.max(0.02, chance + VIG / 2))
  const line = laid >= 0.5 ? (-100 * laid) / (1 - laid) : (100 * (1 - laid)) / laid
  return Math.round(line / 5) * 5
}
