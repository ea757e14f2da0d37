import { operations } from '../../specification/operations.ts'
import { isRefused, question } from './question.ts'
import type { Probe, Question, Subject } from './question.ts'
import { ratingAmong } from './several-values.ts'
import type { RawRow } from '../../specification/raw-row.ts'

const league = ({ organization_id, division_id }: Subject) =>
  organization_id && division_id ? { organization_id, division_id } : null

const teamSearch = (about: Subject): Probe | null => {
  const place = league(about)
  return place && { operation: operations.search, arguments: { name: 'a', ...place, team: 1 } }
}

/** Downloads a season that was never played: an empty answer is cheap. */
const emptyDownload = (about: Subject): Probe | null => {
  const place = league(about)
  return (
    place && {
      operation: operations.downloadTeams,
      arguments: { ...place, season: 1800, type: 'team' },
      rows: 0,
    }
  )
}

const currentOdds = ({ game_id }: Subject): Probe | null =>
  game_id
    ? {
        // The specification does not show its columns, so they are not inspected.
        operation: { ...operations.getScores, function: 'getOdds', arguments: ['game_id'], yields: 'search' },
        arguments: { game_id },
      }
    : null

/**
 * A team's statistics on the day of its game. It is the longest row, so it shows whether compression is
 * billed.
 */
export const statisticsOfDay = (about: Subject): Probe | null => {
  const { home_team_id, season, day } = about
  const place = league(about)
  return place && home_team_id && season && day
    ? {
        operation: operations.statistic_ranking,
        arguments: { ...place, team_id: home_team_id, season, date_of_rank: day },
        gzip: true,
      }
    : null
}

/** Operations and arguments that the specification names without explaining. */
export const unexplained: readonly Question[] = [
  question({
    name: 'search flags',
    section: '§4',
    open: 'whether a flag leaves out the other groups',
    assumed: 'one group',
    findings: {
      'one group': 'Searches of one group ask for that group alone.',
      'every group': 'Searches are answered as well; they cost what all groups cost.',
      refused: 'Searches of one group fail. Search all groups.',
    },
    probes: [teamSearch],
    judge: (reply) => {
      if (isRefused(reply)) return 'refused'
      const { players, coaches } = (reply.body ?? {}) as RawRow // an answer that is no error
      if (reply.outcome !== 'rows') return null
      return hasItems(players) || hasItems(coaches) ? 'every group' : 'one group'
    },
  }),
  question({
    name: 'current of elo',
    section: '§4',
    open: 'the rule that moves the mark of the current row',
    assumed: 'marked',
    findings: {
      marked: 'The current rating is the row that the service marks.',
      unmarked: 'A team’s current rating is null. Its history is complete.',
    },
    probes: [ratingAmong],
    judge: ({ outcome, rows: [row] }) =>
      outcome !== 'rows'
        ? null
        : Number(row?.['current']) === 1 || row?.['current'] === true
          ? 'marked'
          : 'unmarked',
  }),
  question({
    name: 'ranking/download',
    section: '§4',
    open: 'its arguments and its response',
    assumed: 'there',
    findings: {
      there: 'Leaderboards cost one call.',
      denied: 'Leaderboards fail with ACCESS_DENIED: the key’s plan does not allow them.',
      'not there': 'Leaderboards fail with UNSUPPORTED, after one call.',
    },
    probes: [emptyDownload],
    judge: (reply) =>
      isRefused(reply) ? 'not there' : reply.outcome === 'access denied' ? 'denied' : 'there',
  }),
  question({
    name: 'game/getOdds',
    section: '§4',
    open: 'its arguments and its response',
    assumed: 'there',
    findings: {
      there: 'The graph does without it: getScores and odds/read bring the same.',
      'not there': 'The graph does without it.',
    },
    probes: [currentOdds],
    judge: (reply) => (isRefused(reply) ? 'not there' : reply.outcome === 'no answer' ? null : 'there'),
  }),
  question({
    name: 'date_of_rank',
    section: '§4',
    open: 'how a day is passed, and what comes for one without a row',
    assumed: 'that day',
    findings: {
      'that day': 'Statistics of a day cost one row.',
      'another day': 'Statistics of a day may be of another: dateOfRank tells which.',
      refused: 'Statistics of a day fail. Current ones are answered.',
    },
    probes: [statisticsOfDay],
    judge: (reply, { day = '' }) => {
      if (isRefused(reply)) return 'refused'
      if (reply.outcome !== 'rows') return null
      return String(reply.rows[0]?.['date_of_rank']).startsWith(day) ? 'that day' : 'another day'
    },
  }),
]

const hasItems = (group: unknown) => Array.isArray(group) && group.length > 0
