/** What the load asks about. */
export interface Subjects {
  readonly days: readonly string[]
  readonly teams: readonly string[]
  readonly games: readonly string[]
}

const gameFields = ['homeScore', 'awayScore', 'status', 'clock', 'startDate', 'season', 'attendance', 'name']
const teamFields = ['name', 'code', 'primaryColor', 'secondaryColor', 'altName']

const pick = <T>(from: readonly T[], nth: number): T => {
  const one = from[nth % from.length]
  if (one === undefined) throw new RangeError('There is nothing to pick from.')
  return one
}

/** Those fields whose bit is set, and at least one. */
const some = (fields: readonly string[], bits: number) =>
  fields.filter((_, at) => (bits >> at) & 1).join(' ') || String(fields[0])

/** The nth of thousands of distinct documents, of ten kinds. One kind fails. */
export function queryOf(nth: number, { days, teams, games }: Subjects): string {
  const bits = Math.floor(nth / 10)
  const [day, team, game] = [pick(days, bits), pick(teams, nth * 7), pick(games, nth * 3)]
  const ofGame = some(gameFields, bits)
  const ofTeam = some(teamFields, bits)
  const kinds = [
    `league { games(date: "${day}") { ${ofGame} homeTeam { ${ofTeam} } } }`,
    `league { games(date: "${day}") { ${ofGame} odds { pre { over } } prediction { homePercentage } } }`,
    `team(id: "${team}") { ${ofTeam} elo(season: 2026) { elo } }`,
    `team(id: "${team}") { ${ofTeam} roster(season: 2026) { lastName } }`,
    `game(id: "${game}") { ${ofGame} odds { history { over } } }`,
    `game(id: "${game}") { ${ofGame} boxscores { points } }`,
    `league { search(name: "${pick(['a', 'e', 'st', 'ma'], bits)}${nth % 97}") { teams { name } } }`,
    `team(id: "${team}") { ${ofTeam} games(season: 2026) { ${ofGame} } }`,
    `team(id: "${team}") { stats(season: 2026) { points { value rank } } }`,
    `team(id: "${team}") { noSuchField${bits % 50} }`,
  ]
  return `query Q${nth % 5_000} { ${pick(kinds, nth)} }`
}
