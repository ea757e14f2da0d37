import { operations } from '../../specification/operations.ts'
import { isRefused, nobody, question } from './question.ts'
import type { Probe, Question, Subject } from './question.ts'

/** The first game that the service returns. It has the ids that the other probes need, and costs one row. */
export const anyGame = ({ organization_id, division_id }: Subject): Probe => ({
  operation: operations.getGame,
  arguments: { ...(organization_id && { organization_id }), ...(division_id && { division_id }) },
})

/** An operation that no service has. */
const noOperation = (): Probe => ({
  operation: { ...operations.getGame, class: 'statline', function: 'doctor' },
  arguments: {},
  rows: 0,
})

/** A team that does not exist. */
const noTeam = (): Probe => ({ operation: operations.getTeam, arguments: { team_id: nobody }, rows: 0 })

/** A bulk read by POST: two teams' ids among ids that do not exist. Costs two rows. */
export const twoTeams = ({ home_team_id, away_team_id }: Subject): Probe | null =>
  home_team_id && away_team_id
    ? {
        operation: operations.readTeams,
        arguments: { team_id: [nobody, home_team_id, away_team_id] },
        rows: 2,
        method: 'POST',
      }
    : null

const twoTeamsByGet = (about: Subject): Probe | null => {
  const probe = twoTeams(about)
  if (!probe) return null
  const { method: _, ...rest } = probe
  return rest
}

/** A bulk read of one team, for services that take only one value; also by POST. */
const oneTeam = ({ home_team_id }: Subject): Probe | null =>
  home_team_id ? { operation: operations.readTeams, arguments: { team_id: home_team_id } } : null

const oneTeamByPost = ({ away_team_id }: Subject): Probe | null =>
  away_team_id
    ? { operation: operations.getTeam, arguments: { team_id: away_team_id }, method: 'POST' }
    : null

const minutes = 60_000

/** Keys, plans, errors and bills. */
export const access: readonly Question[] = [
  question({
    name: 'key',
    section: '§5',
    open: 'how the service answers a key that it does not know',
    assumed: 'accepted',
    findings: {
      accepted: 'The graph works with it.',
      refused: 'Every field fails with UNAUTHENTICATED. Check UPSTREAM_API_KEY.',
      spent: 'Every call fails with BUDGET_EXCEEDED until the service’s month is over.',
    },
    probes: [anyGame],
    judge: ({ outcome }) =>
      outcome === 'key refused' ? 'refused' : outcome === 'quota spent' ? 'spent' : 'accepted',
    keptFor: 5 * minutes,
  }),
  question({
    name: 'plan',
    section: '§5',
    open: 'what the key’s plan allows',
    assumed: 'bulk reads',
    findings: {
      'bulk reads': 'Rows are read together, as many ids a call as the service takes.',
      'no bulk reads':
        'The key is a trial’s: once a bulk read was refused, rows are read one by one and odds come from scores. Leaderboards, player boxscores and boxscores of a season fail with ACCESS_DENIED.',
    },
    probes: [twoTeams, twoTeamsByGet, oneTeam],
    judge: ({ outcome }) =>
      outcome === 'access denied' ? 'no bulk reads' : outcome === 'rows' ? 'bulk reads' : null,
    keptFor: 5 * minutes,
  }),
  question({
    name: 'usage header',
    section: '§8',
    open: 'the format of x-request-usage',
    assumed: 'legible',
    findings: {
      legible: 'Bills are taken from it.',
      illegible: 'Bills are estimated from bytes and marked as estimated.',
      missing: 'Bills are estimated from bytes and marked as estimated.',
    },
    probes: [anyGame],
    judge: ({ outcome, headers, tokens }) => {
      if (outcome !== 'rows') return null
      if (headers['x-request-usage'] === undefined) return 'missing'
      return tokens === undefined ? 'illegible' : 'legible'
    },
  }),
  question({
    name: 'status of errors',
    section: '§7',
    open: 'whether every error really has status 200',
    assumed: '200',
    findings: {
      '200': 'The body decides.',
      '4xx': 'The body decides all the same; without one, the status.',
      '5xx':
        'The service is taken to be unavailable: such a call is tried three times. Names that are wrong cost time.',
    },
    probes: [noOperation],
    judge: ({ status }) => (status >= 500 ? '5xx' : status >= 400 ? '4xx' : '200'),
  }),
  question({
    name: 'price of errors',
    section: '§8',
    open: 'whether an error is billed',
    assumed: 'free',
    findings: {
      free: 'What the usage header says is booked: nothing.',
      billed:
        'What the usage header says is booked. A refused operation is remembered, so that it is billed once.',
    },
    probes: [noOperation],
    judge: ({ tokens = 0, outcome }) =>
      outcome === 'rows' || outcome === 'nothing' ? null : tokens > 0 ? 'billed' : 'free',
  }),
  question({
    name: 'nothing found',
    section: '§7',
    open: 'the result of get or read when nothing matches',
    assumed: 'empty object',
    findings: {
      'empty object': 'No rows.',
      null: 'No rows.',
      'empty list': 'No rows.',
      'error that says so': 'No rows: the words of the error decide.',
      'status 404': 'No rows, unless the words of the error speak of an unknown operation.',
      'status 400': 'No rows, unless the words of the error speak of arguments or operations.',
    },
    probes: [noTeam],
    judge: ({ status, body, outcome }) => {
      if (status === 404) return 'status 404'
      if (status === 400) return 'status 400'
      if (body === null) return 'null'
      if (Array.isArray(body)) return 'empty list'
      if (typeof body === 'object' && Object.keys(body as object).length === 0) return 'empty object'
      return outcome === 'nothing' ? 'error that says so' : null
    },
  }),
  question({
    name: 'POST',
    section: '§1',
    open: 'whether POST really answers as GET does',
    assumed: 'accepted',
    findings: {
      accepted: 'A call whose address would be too long goes by POST.',
      refused: 'A call whose address would be too long is split into several.',
    },
    probes: [twoTeams, oneTeamByPost],
    judge: (reply, _, nth) => {
      if (reply.outcome === 'rows' || reply.outcome === 'access denied') return 'accepted'
      // The first probe has several values, which may be the reason for its refusal.
      return nth > 0 && isRefused(reply) ? 'refused' : null
    },
  }),
]
