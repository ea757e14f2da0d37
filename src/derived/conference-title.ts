/** A team's record within its conference so far. */
export interface ConferenceRecord {
  readonly team_id: string
  readonly confwins: number
  readonly conflosses: number
}

/** A conference game still to be played. */
export interface ConferenceGame {
  readonly home_team_id: string
  readonly away_team_id: string
  /** The prediction's chance of a home win, 0 to 1; null where there is no prediction: such a game is even. */
  readonly home_percentage: number | null
}

const runs = 10_000

/**
 * The chance of each team to finish first in its conference, 0 to 1, from simulated seasons in which each game still to be played is drawn by
 * its prediction. First is who has the largest share of conference games won; teams that share the first place share it evenly, so that the chances
 * sum to one. The same input gives the same chances.
 */
export function titleChances(
  records: readonly ConferenceRecord[],
  games: readonly ConferenceGame[],
): Map<string, number> {
  const position = new Map(records.map(({ team_id }, at) => [team_id, at]))
  const left = games.map((game) => ({
    home: position.get(game.home_team_id) ?? -1,
    away: position.get(game.away_team_id) ?? -1,
    chance: game.home_percentage ?? 0.5,
  }))
  const played = gamesOf(records, left)
  const titles = new Float64Array(records.length)
  const draw = uniform()
  for (let run = 0; run < runs; run++) {
    const wins = Float64Array.from(records, ({ confwins }) => confwins)
    for (const { home, away, chance } of left) {
      const winner = draw() < chance ? home : away
      if (winner >= 0) wins[winner]! += 1
    }
    share(titles, leadersOf(wins, played))
  }
  return new Map(records.map(({ team_id }, at) => [team_id, titles[at]! / runs]))
}

/** How many conference games each team has played in the end. */
function gamesOf(
  records: readonly ConferenceRecord[],
  left: readonly { readonly home: number; readonly away: number }[],
): Float64Array {
  const games = Float64Array.from(records, ({ confwins, conflosses }) => confwins + conflosses)
  for (const { home, away } of left) for (const team of [home, away]) if (team >= 0) games[team]! += 1
  return games
}

function leadersOf(wins: Float64Array, games: Float64Array): number[] {
  let [best, leaders]: [number, number[]] = [-1, []]
  wins.forEach((won, team) => {
    const percentage = games[team] === 0 ? 0 : won / games[team]!
    if (percentage > best) [best, leaders] = [percentage, [team]]
    else if (percentage === best) leaders.push(team)
  })
  return leaders
}

function share(titles: Float64Array, leaders: readonly number[]): void {
  for (const team of leaders) titles[team]! += 1 / leaders.length
}

/** Evenly distributed numbers from 0 to 1, always the same ones: mulberry32 (T. Ettinger, 2017, public domain). */
function uniform(): () => number {
  let state = 1
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
