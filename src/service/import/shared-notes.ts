import { heightOf } from './height.ts'
import { excerpt } from './source-row.ts'
import type { GameStatus } from './status.ts'
import type { Note } from './summary.ts'
import type { ReadTable } from './source-folder.ts'

/** Lists teams that may be the same under two spellings. */
export function suspectNotes({ members, outsiders }: { members: string[]; outsiders: string[] }): Note[] {
  return [
    {
      what: `members of the division without a game: ${members.join(', ')}`,
      count: members.length,
      why: 'perhaps another spelling plays their games: name it in aliases.csv (alias,team)',
      warning: true,
    },
    {
      what: `outsiders with 15 games and more: ${outsiders.join(', ')}`,
      count: outsiders.length,
      why: 'perhaps members under another spelling: name it in aliases.csv (alias,team)',
      warning: true,
    },
  ]
}

/** Duplicate rows of a file. */
export const repeatedRows = (read: readonly ReadTable[]): Note[] =>
  read.map(({ file, repeated }) => ({
    what: `rows that ${file} has twice`,
    count: repeated,
    why: 'the first counts',
  }))

/** Heights that cannot be read, by their texts. */
export function heightNote(players: readonly { readonly height: string }[]): Note {
  const unread = players.map(({ height }) => height).filter((text) => text !== '' && heightOf(text) === null)
  return {
    what: `heights that are not feet and inches: ${[...new Set(unread)].slice(0, 5).map(excerpt).join(', ')}`,
    count: unread.length,
    why: 'null',
    warning: true,
  }
}

interface Standing {
  readonly status: GameStatus
  readonly home_score: number | null
  readonly away_score: number | null
}

/** Games without a result, and those whose result no game has. */
export function openNotes(games: readonly Standing[]): Note[] {
  const inState = (status: GameStatus) => games.filter((game) => game.status === status).length
  return [
    {
      what: 'games without a score, or 0–0 without a boxscore',
      count: inState('scheduled'),
      why: 'scheduled: predicted, and projected; importing again updates them',
    },
    { what: 'games postponed', count: inState('postponed'), why: 'still to be played' },
    { what: 'games canceled', count: inState('canceled'), why: 'neither predicted nor counted' },
    {
      what: 'games that ended in a draw',
      count: games.filter((game) => game.status === 'final' && game.home_score === game.away_score).length,
      why: 'neither won nor lost by anybody: look at their scores',
      warning: true,
    },
  ]
}

/** A game as its source has it. */
interface Scheduled {
  readonly id: string
  readonly day: string
  readonly home: string
  readonly away: string
  readonly home_score: number | null
  readonly away_score: number | null
}

/** Results that stand twice under two ids. A copy may have the teams the other way round. */
export function copiedGames(games: readonly Scheduled[]): Note {
  const byResult = new Map<string, string[]>()
  for (const { id, day, home, away, home_score, away_score } of games) {
    if (home_score === null || away_score === null) continue
    const result = [day, ...[`${home} ${home_score}`, `${away} ${away_score}`].toSorted()].join(' – ')
    byResult.set(result, [...(byResult.get(result) ?? []), id])
  }
  const copied = [...byResult].filter(([, ids]) => ids.length > 1)
  const named = copied
    .slice(0, 5)
    .map(([result, ids]) => `${excerpt(result)} as ${ids.map(excerpt).join(', ')}`)
  return {
    what: `games that stand twice under two ids: ${named.join('; ')}`,
    count: copied.length,
    why: 'each is counted: remove one of them from the schedule',
    warning: true,
  }
}

interface Compared {
  readonly compared: boolean
  readonly disputed: boolean
}

/** Warns if a season’s boxscores are not used. */
export const contradictions = (games: readonly Compared[], believed: boolean): Note => ({
  what: `games whose boxscore contradicts the schedule, of ${games.filter((game) => game.compared).length}`,
  count: believed ? 0 : games.filter((game) => game.disputed).length,
  why: 'more than 2 %: no boxscore of the season is believed, and all averages are null',
  warning: true,
})
