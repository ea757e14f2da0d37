import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Facts } from '../../../src/service/league/facts.ts'
import { figuresOf } from '../../../bench/sample/figures.ts'
import { targetsOf } from '../../../bench/sample/targets.ts'
import { dayOf, midnight } from '../../../src/service/sample/calendar.ts'
import { sampleLeagues } from '../../../src/service/sample/create.ts'
import { factsOf, retiredFacts } from '../../../src/service/sample/facts.ts'
import { endOf } from '../../../src/service/sample/game-rows.ts'
import { sampleBasketball, sampleFootball, sampleRetired } from '../../../src/service/sample/ids.ts'
import { sampleLeague, timelineOf } from '../../../src/service/sample/league.ts'
import type { SampleLeague } from '../../../src/service/sample/league.ts'

const HOUR = 3_600_000
const noon = Date.UTC(2026, 10, 20, 20)
const anchor = dayOf(noon)
const leagues = sampleLeagues(anchor)
const facts = leagues.map((league) => factsOf(league, noon))
/** A league in which only the first two days are played, which takes a fraction of the time. */
const begun = (league: SampleLeague) => factsOf(league, midnight((league.games[0]?.fixture.day ?? 0) + 2))
/** Only of games and players, not of the constants of the league’s numbers. */
const hash = ({ league, opening: _opening, ...played }: Facts) =>
  createHash('sha256')
    .update(JSON.stringify({ sport: league.rules.sport, ...played }))
    .digest('hex')

test('the same seed and day make the same league, to the last number', () => {
  const again = sampleLeagues(anchor).map(begun)
  expect(again.map(hash)).toEqual(leagues.map(begun).map(hash))
})

test('another seed makes another league', () => {
  const [[league], [other]] = [leagues.map(begun), sampleLeagues(anchor, 'another seed').map(begun)]
  expect(other?.games[0]?.game_id).not.toBe(league?.games[0]?.game_id)
  expect(other?.games.map((game) => game.home_score)).not.toEqual(
    league?.games.map((game) => game.home_score),
  )
})

test('the league of another day has the same games under the same keys, at other times', () => {
  const [now, later] = [leagues.map(begun), sampleLeagues(anchor + 200).map(begun)]
  const played = ({ games }: Facts) =>
    games.map((game) => [game.game_id, game.home_team_id, game.home_score, game.away_score])
  expect(later.map(played)).toEqual(now.map(played))
  for (const { games } of now)
    expect(games.filter((game) => game.home_score !== null).length).toBeGreaterThan(5)
  expect(later[0]?.games[0]?.start_date).not.toBe(now[0]?.games[0]?.start_date)
})

test('there are two seasons of each sport, numbered by the year', () => {
  expect(facts.map(({ league }) => league.rules.sport)).toEqual(['basketball', 'football'])
  expect(leagues.map(({ seasons }) => seasons)).toEqual([
    [2025, 2026],
    [2025, 2026],
  ])
})

test.each(['2026-01-10', '2026-12-28', '2028-02-29', '2027-07-01'])(
  'seasons are numbered by the years around %s',
  (date) => {
    const day = dayOf(Date.parse(date))
    for (const { competition, seasons, games } of sampleLeagues(day)) {
      const current = games.filter(({ season }) => season === seasons.at(-1))
      const years = current.map(({ fixture }) => new Date(midnight(fixture.day)).getUTCFullYear())
      expect(seasons.at(-1)).toBe(
        competition.sport === 'basketball' ? Math.max(...years) : Math.min(...years),
      )
      expect(seasons).toHaveLength(2)
      expect(seasons[0]).toBe((seasons[1] ?? 0) - 1)
    }
  },
)

test('the constants name the leagues', () => {
  const ids = facts.map(({ organization, division }) => ({
    organizationId: organization.organization_id,
    divisionId: division.division_id,
  }))
  expect(ids).toEqual([sampleBasketball, sampleFootball])
})

test('an organization and a division are no longer in use', () => {
  const { organization, division } = retiredFacts()
  expect([organization.organization_id, organization.inactive]).toEqual([sampleRetired.organizationId, 1])
  expect([division.division_id, division.inactive]).toEqual([sampleRetired.divisionId, 1])
  expect(facts.map(({ organization }) => organization.inactive)).toEqual([0, 0])
})

describe.each(facts.map((of, at) => ({ sport: of.league.rules.sport, of, league: leagues[at]! })))(
  '$sport',
  ({ of, league }) => {
    const current = of.games.filter((game) => game.season === league.seasons.at(-1))

    test('about two thirds of the current season are played, and all of the one before', () => {
      const share = current.filter((game) => game.status === 'final').length / current.length
      expect(share).toBeGreaterThan(0.55)
      expect(share).toBeLessThan(0.75)
      const before = of.games.filter((game) => game.season !== league.seasons.at(-1))
      expect(before.every((game) => game.status === 'final')).toBe(true)
    })

    test('no game ends level', () => {
      const final = of.games.filter((game) => game.status === 'final')
      expect(final.filter((game) => game.home_score === game.away_score)).toEqual([])
    })

    test('every team plays the same number of games a season, no two at a time, and rests between them', () => {
      const starts = new Map<string, number[]>()
      for (const game of of.games)
        for (const team of [game.home_team_id, game.away_team_id]) {
          const key = `${team} ${game.season}`
          starts.set(key, [...(starts.get(key) ?? []), (game.start_timestamp ?? 0) * 1_000])
        }
      expect(new Set([...starts.values()].map((list) => list.length)).size).toBe(1)
      const rests = [...starts.values()].flatMap((list) =>
        list.slice(1).map((start, at) => start - (list[at] ?? 0)),
      )
      expect(Math.min(...rests)).toBeGreaterThan(9 * HOUR)
    })

    test('games begin between 11:00 and 22:30, in UTC and in the eastern United States alike', () => {
      const eastern = new Intl.DateTimeFormat('en-GB', {
        timeZone: 'America/New_York',
        timeStyle: 'short',
      })
      for (const day of [anchor, anchor + 120, anchor + 240])
        for (const { fixture } of sampleLeague('statline', league.competition, day).games) {
          const utc = new Date(fixture.start).toISOString().slice(11, 16)
          for (const time of [utc, eastern.format(fixture.start)]) {
            expect(time >= '11:00').toBe(true)
            expect(time <= '22:30').toBe(true)
          }
          expect(dayOf(fixture.start)).toBe(fixture.day)
        }
    })

    test('on every full day from the anchor day on, games are over, under way and to come from the first end to the last start', () => {
      const full = new Set(league.games.map(({ fixture }) => fixture.day).filter((day) => day >= anchor))
      let days = 0
      for (const day of full) {
        const games = league.games.filter(({ fixture }) => fixture.day === day)
        if (games.length < 9) continue
        days += 1
        const spans = games.map((game) => [game.fixture.start, endOf(game, timelineOf(game))] as const)
        const late = league.competition.sport === 'football' ? 19.5 : 18.5
        for (let now = midnight(day) + late * HOUR; now < midnight(day) + 22 * HOUR; now += HOUR / 12) {
          const over = spans.filter(([, end]) => end <= now).length
          const toCome = spans.filter(([start]) => start > now).length
          const underWay = games.length - over - toCome
          expect([now, over > 0, underWay > 0, toCome > 0]).toEqual([now, true, true, true])
        }
      }
      // The anchor's day of the week, until the season ends.
      expect(days).toBeGreaterThanOrEqual(4)
    })

    test('what is seen first looks like a real season', () => {
      for (const [season, figures] of figuresOf(of))
        for (const { name, target, show, holds } of targetsOf(league.competition.sport))
          expect([season, name, target, show(figures), holds(figures)]).toEqual([
            season,
            name,
            target,
            show(figures),
            true,
          ])
    })

    test('conference games are between teams of one conference, and there are neutral sites', () => {
      const conference = new Map(of.memberships.map((place) => [place.team_id, place.conference_id]))
      for (const game of of.games) {
        const same = conference.get(game.home_team_id ?? '') === conference.get(game.away_team_id ?? '')
        expect(game.is_conf_game).toBe(same ? 1 : 0)
      }
      expect(of.games.some((game) => game.neutral_site === 1)).toBe(true)
      expect(of.games.every((game) => game.neutral_site === 0 || game.is_conf_game === 0)).toBe(true)
    })

    test('teams have names and codes of their own, and colours', () => {
      for (const name of ['char6', 'code', 'name', 'alt_name'] as const)
        expect(new Set(of.teams.map((team) => team[name])).size).toBe(of.teams.length)
      for (const team of of.teams) {
        expect(team.char6).toMatch(/^[A-Z]{3,5}$/)
        expect(team.primary_color).toMatch(/^#[0-9A-F]{6}$/)
        expect(team.secondary_color ?? '#000000').toMatch(/^#[0-9A-F]{6}$/)
      }
      expect(of.teams.some((team) => team.secondary_color === null)).toBe(true)
    })

    test('players have a height, a position and a number of their own in the team', () => {
      const players = new Map(of.players.map((player) => [player.player_id, player]))
      expect(players.size).toBe(of.players.length)
      for (const player of of.players) {
        expect(player.height).toMatch(/^[5-7]-([0-9]|1[01])$/)
        expect(player.position).toMatch(/^[A-Z]{1,2}$/)
      }
      for (const { team_id } of of.teams) {
        const roster = of.playerSeasons.filter(
          (row) => row.team_id === team_id && row.season === league.seasons.at(-1),
        )
        const numbers = roster.map(({ player_id }) => players.get(player_id)?.number)
        expect(new Set(numbers).size).toBe(roster.length)
      }
    })

    test('every row has a key of its own', () => {
      const keys = [
        of.games.map((row) => row.game_id),
        of.odds.map((row) => row.odds_id),
        of.boxscores.map((row) => row.boxscore_id),
        of.playerBoxscores.map((row) => row.player_boxscore_id),
        of.playerSeasons.map((row) => row.player_team_season_id),
        of.coaches.map((row) => row.coach_id),
      ]
      for (const list of keys) expect(new Set(list).size).toBe(list.length)
    })

    test('of the lines of a game, before it and in it, exactly the last is current', () => {
      const series = new Map<string, typeof of.odds>()
      for (const row of of.odds) {
        const key = `${row.game_id} ${row.live}`
        series.set(key, [...(series.get(key) ?? []), row])
      }
      for (const rows of series.values()) {
        const last = rows
          .map((row) => row.date_of_entry ?? '')
          .toSorted()
          .at(-1)
        expect(rows.filter((row) => row.current === 1).map((row) => row.date_of_entry)).toEqual([last])
      }
      expect(of.odds.some((row) => row.live === 1)).toBe(true)
    })

    test('nothing is dated later than the moment the league is created', () => {
      const created = new Date(noon).toISOString()
      for (const row of of.odds) expect((row.date_of_entry ?? '') <= created).toBe(true)
      for (const game of of.games) expect((game.updated_at ?? '') <= created).toBe(true)
    })

    test('favourites win more often, and the line is right on average', () => {
      const results = new Map(
        of.games.filter((game) => game.status === 'final').map((game) => [game.game_id, game]),
      )
      const closing = of.odds.filter((row) => row.live === 0 && row.current === 1 && results.has(row.game_id))
      const errors = closing.map((row) => {
        const game = results.get(row.game_id)
        return (game?.home_score ?? 0) - (game?.away_score ?? 0) + (row.spread_home ?? 0)
      })
      const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
      const deviation = Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / errors.length)
      expect(Math.abs(mean)).toBeLessThan(2.5)
      expect(deviation).toBeLessThan(18)
    })
  },
)

describe('the people of basketball', () => {
  const [of] = facts
  const teamOf = (player: string | null, season: number) =>
    of?.playerSeasons.find((row) => row.player_id === player && row.season === season)?.team_id ?? null

  test('committed transfers play for their new team, others for none', () => {
    expect(of?.transfers.some((row) => row.committed === 1)).toBe(true)
    expect(of?.transfers.some((row) => row.committed === 0)).toBe(true)
    for (const row of of?.transfers ?? []) {
      expect(teamOf(row.player_id, row.season ?? 0)).toBe(row.committed_team_id)
      expect(teamOf(row.player_id, (row.season ?? 0) - 1)).not.toBeNull()
      expect(teamOf(row.player_id, (row.season ?? 0) - 1)).not.toBe(row.committed_team_id)
    }
  })

  test('drafted players have left, with year, round and pick', () => {
    const drafted = of?.players.filter((player) => player.draft_year !== null) ?? []
    expect(drafted.length).toBeGreaterThan(10)
    for (const player of drafted) {
      expect([player.draft_year, teamOf(player.player_id, 2026)]).toEqual([2025, null])
      expect(player.draft_round).toBe((player.draft_number ?? 0) <= 30 ? 1 : 2)
    }
    expect(new Set(drafted.map((player) => player.draft_number)).size).toBe(drafted.length)
  })

  test('every team has a coach each season, and some have a new one', () => {
    const coachOf = (team: string | null, season: number) =>
      of?.coachSeasons
        .filter((row) => row.team_id === team && row.season === season)
        .map((row) => row.coach_id)
    const changes = of?.teams.filter(
      ({ team_id }) => coachOf(team_id, 2025)?.[0] !== coachOf(team_id, 2026)?.[0],
    )
    for (const { team_id } of of?.teams ?? []) expect(coachOf(team_id, 2026)).toHaveLength(1)
    expect(changes?.length).toBeGreaterThan(0)
    expect(changes?.length).toBeLessThan(20)
  })
})
