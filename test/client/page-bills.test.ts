import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nameOf, textOf } from '../../src/client/document.ts'
import * as documents from '../../src/client/generated/graphql.ts'
import { basketball, football, startSample, tenthOfLimits } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'

const date = '2026-02-14'
const page = readFileSync(join(import.meta.dirname, '../../docs/scoreboard.md'), 'utf8')

/** A line of the documentation: the page, what it sends, and what that costs with nothing kept. */
interface Line {
  readonly page: string
  readonly document: string
  readonly tokens: number
  readonly calls: number
}

/** The lines of the table under a heading. */
function linesOf(heading: string): readonly Line[] {
  const [, rest = ''] = page.split(`### ${heading}\n`)
  return [...(rest.split('\n#')[0] ?? '').matchAll(/^\| ([\w ,’]+) \| `(\w+)` \| (\d+) \| (\d+) \|$/gm)].map(
    ([, name = '', document = '', tokens, calls]) => ({
      page: name,
      document,
      tokens: Number(tokens),
      calls: Number(calls),
    }),
  )
}

interface Keys {
  readonly gameId: string
  readonly season: number
  readonly teamId: string
  readonly other: string
  readonly playerId: string
  readonly second: string
  readonly conferenceId: string
}

let sample: Sample
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

interface Day {
  readonly league: {
    readonly games: readonly {
      readonly gameId: string
      readonly status: string
      readonly season: number
      readonly awayTeamId: string
      readonly homeTeam: {
        readonly teamId: string
        readonly conferenceId: string
        readonly roster: readonly { readonly playerId: string }[]
      }
    }[]
  }
}

async function keysOf(defaults: typeof basketball): Promise<Keys> {
  const team = 'homeTeam { teamId conferenceId roster { playerId } }'
  const { data } = await sample
    .graph({ defaults })
    .query<Day>(`{ league { games(date: "${date}") { gameId status season awayTeamId ${team} } } }`)
  const game = data.league.games.find(({ status }) => status === 'final')
  if (!game) throw new Error('The sample day has no finished game.')
  const { gameId, season, awayTeamId: other, homeTeam } = game
  const [first, second] = homeTeam.roster
  if (!first || !second) throw new Error('The team has no two players.')
  const { teamId, conferenceId } = homeTeam
  return { gameId, season, teamId, other, conferenceId, playerId: first.playerId, second: second.playerId }
}

const weekFrom = (first: string) =>
  Object.fromEntries(
    Array.from({ length: 7 }, (_, at) => [
      `day${at + 1}`,
      new Date(Date.parse(first) + at * 86_400_000).toISOString().slice(0, 10),
    ]),
  )

type Sent = readonly [object, Readonly<Record<string, unknown>>]

/** The queries of each page at its first view, in order, and those that it offers for a price. */
const pagesOf = (keys: Keys): Readonly<Record<string, readonly Sent[]>> => {
  const { gameId, season, teamId, other, playerId, second, conferenceId } = keys
  const { ScoreboardDocument, ConferencesDocument, GameSummaryDocument } = documents
  return {
    Games: [[ScoreboardDocument, { date }]],
    'Games, counts of the days around': [
      [ScoreboardDocument, { date }],
      [documents.GameCountsDocument, weekFrom('2026-02-11')],
    ],
    'Games, teams’ records': [
      [ScoreboardDocument, { date }],
      [documents.DayRecordsDocument, { date, on: null }],
    ],
    'Week, its first day': [[ScoreboardDocument, { date }]],
    'Week, its other days': [
      [ScoreboardDocument, { date }],
      [documents.WeekDocument, weekFrom('2026-02-10')],
    ],
    Standings: [
      [ConferencesDocument, {}],
      [documents.StandingsDocument, { conferenceId, season }],
    ],
    'Standings, as they are today': [
      [ConferencesDocument, {}],
      [documents.StandingsDocument, { conferenceId, season }],
      [documents.ConferenceRecordsDocument, { conferenceId, season }],
    ],
    Game: [[GameSummaryDocument, { gameId }]],
    'Game, its head': [[GameSummaryDocument, { gameId, isHead: true }]],
    'Game, boxscore': [
      [GameSummaryDocument, { gameId, isHead: true }],
      [documents.GameBoxscoreDocument, { gameId, side: 'HOME' }],
    ],
    'Game, form': [
      [GameSummaryDocument, { gameId, isHead: true }],
      [documents.GameFormDocument, { gameId, to: '2026-02-13' }],
    ],
    Team: [[documents.TeamSeasonDocument, { teamId, season }]],
    'Team, conference': [
      [documents.TeamSeasonDocument, { teamId, season }],
      [documents.TeamConferenceDocument, { teamId }],
    ],
    'Team, schedule': [
      [documents.TeamSeasonDocument, { teamId, season }],
      [documents.TeamScheduleDocument, { teamId, season }],
    ],
    'Team, roster': [
      [documents.TeamSeasonDocument, { teamId, season }],
      [documents.TeamRosterDocument, { teamId, season }],
    ],
    'Team, statistics': [
      [documents.TeamSeasonDocument, { teamId, season }],
      [documents.TeamRatingsDocument, { teamId, season }],
    ],
    'Team, roster’s statistics': [
      [documents.TeamRosterDocument, { teamId, season }],
      [documents.TeamRosterStatisticsDocument, { teamId, season }],
    ],
    Player: [[documents.PlayerDocument, { playerId, season }]],
    'Player, career': [
      [documents.PlayerDocument, { playerId, season }],
      [documents.PlayerCareerDocument, { playerId }],
    ],
    'Player, each other season': [
      [documents.PlayerDocument, { playerId, season }],
      [documents.PlayerSeasonDocument, { playerId, season: season - 1 }],
    ],
    'Leaders, season': [[documents.CurrentSeasonDocument, {}]],
    'Leaders, conferences': [[ConferencesDocument, {}]],
    'Leaders, an average team': [[documents.LeagueAveragesDocument, { season }]],
    'Leaders, ratings': [
      [ConferencesDocument, {}],
      [documents.PowerRatingsDocument, { season }],
    ],
    'Leaders, teams': [
      [ConferencesDocument, {}],
      [documents.LeadersDocument, { subject: 'TEAM', season, orderBy: 'points', names: ['points'] }],
    ],
    'Leaders, players': [
      [ConferencesDocument, {}],
      [documents.LeadersDocument, { subject: 'PLAYER', season, orderBy: 'games', names: ['games'] }],
    ],
    'Compare teams': [[documents.CompareTeamsDocument, { first: teamId, second: other, season }]],
    'Compare players': [[documents.ComparePlayersDocument, { first: playerId, second, season }]],
    Leagues: [[documents.LeaguesDocument, {}]],
    Search: [[documents.SearchDocument, { name: 'Dunm' }]],
  }
}

/**
 * The price and the bill of a page’s last query, with only what the queries before it have brought. All of them
 * use at most a tenth of what an execution may.
 */
async function billed(name: string, sent: readonly Sent[], defaults: typeof basketball) {
  const graph = sample.graph({ defaults, executionLimits: tenthOfLimits })
  let line: Line & { readonly price: number } = { page: name, document: '', tokens: 0, calls: 0, price: 0 }
  for (const [document, variables] of sent) {
    const asked = { variables: { ...variables } }
    const dry = await graph.query(textOf(document), { ...asked, extensions: { explain: 'dry' } })
    const { errors, extensions } = await graph.query(textOf(document), asked)
    expect(errors, `${name}: ${nameOf(document)}`).toBeUndefined()
    const { tokens, calls } = extensions.usage
    const price = (dry.extensions.plan ?? []).reduce((sum, call) => sum + call.tokens, 0)
    line = { page: name, document: nameOf(document) ?? '', tokens, calls, price }
  }
  return line
}

/**
 * What a first price cannot know: how many games the other days have, and of which sport a game’s players
 * and a league’s are. Football has four times as many bytes of boxscores as basketball.
 */
const unknowable = /^(Games, counts of the days around|Week, its other days|Game, boxscore|Leaders, players)$/

/** Whether a price is within three fifths of the bill, or within three tokens. */
const isNear = ({ price, tokens }: { readonly price: number; readonly tokens: number }) =>
  Math.abs(price - tokens) <= 3 || Math.max(price / tokens, tokens / price) <= 1.6

/**
 * Parts that the page offers for their price; it sends them at once only if all together are within the
 * limit.
 */
const offered =
  /^(Week, its other days|Team, (conference|roster’s statistics)|Leaders, (ratings|teams|players)|Games, .*|Standings, .*)$/

describe.each([
  ['Basketball', basketball],
  ['Football', football],
])('the scoreboard’s pages cost what their documentation says: %s', (sport, defaults) => {
  it('line by line, and their first prices are near', async () => {
    const lines: (Line & { readonly price: number })[] = []
    for (const [name, sent] of Object.entries(pagesOf(await keysOf(defaults))))
      lines.push(await billed(name, sent, defaults))
    const table = lines.map(
      (line) => `| ${line.page} | \`${line.document}\` | ${line.tokens} | ${line.calls} |`,
    )
    expect(linesOf(sport), table.join('\n')).toEqual(lines.map(({ price: _price, ...line }) => line))
    expect(lines.filter((line) => !unknowable.test(line.page) && !isNear(line))).toEqual([])
  })

  it('at most 60 tokens at the first view, unless the reader is asked', () => {
    const lines = linesOf(sport)
    const first = lines.filter((line) => !offered.test(line.page))
    expect(first.length).toBeGreaterThan(5)
    // A tab adds to what the page before it has cost, but is another view.
    expect(first.filter(({ tokens }) => tokens > 60)).toEqual([])
    // Its own address is a first view too.
    const costOf = (name: string) => lines.find((line) => line.page === name)?.tokens ?? Number.NaN
    for (const tab of ['Game, boxscore', 'Game, form'])
      expect(costOf('Game, its head') + costOf(tab), tab).toBeLessThanOrEqual(60)
  })
})
