import { nameOf } from '../../specification/operation.ts'
import { operations } from '../../specification/operations.ts'
import type { Arguments, Operation } from '../../specification/operation.ts'
import { isRefused, nobody, nobodyElse, question } from './question.ts'
import type { Probe, Question, Reply, Subject } from './question.ts'

/** An id between ids that do not exist: its row is found only if the values are combined with OR. */
const among = (id: string) => [nobody, id, nobodyElse]

const teamAmong = ({ home_team_id }: Subject): Probe | null =>
  home_team_id ? { operation: operations.getTeam, arguments: { team_id: among(home_team_id) } } : null

const teamInCommas = (about: Subject): Probe | null => {
  const probe = teamAmong(about)
  return probe && { ...probe, values: 'comma list' }
}

const found = ({ rows }: Reply, name: string, id: string | undefined) =>
  rows.some((row) => String(row[name]).toLowerCase() === id?.toLowerCase())

/** The ids that one call may carry, largest first. */
export const batchSizes = ['500', '100', '50', '20', '10'] as const

/** Lengths of an address beneath the service's, longest first. */
export const addressLengths = ['2000', '1000', '500', '250'] as const

/** Ids that do not exist, followed by the team's. */
const padded = (count: number, team: string) => [
  ...Array.from({ length: count - 1 }, (_, nth) => nobody.slice(0, -3) + String(nth).padStart(3, '0')),
  team,
]

/** The length of one parameter `team_id=…&`, and how many fit in an address. */
const parameter = 45
const mostByGet = 40

/** How several values are passed, and how many. */
export const severalValues: readonly Question[] = [
  question({
    name: 'several values',
    section: '§1',
    open: 'how an argument passes several values',
    assumed: 'repeated',
    findings: {
      repeated: 'Rows are read together: a repeated parameter, or an array by POST.',
      'comma list': 'Rows are read together: the values are joined by commas.',
      'one value': 'A call carries one id. What needs twenty rows takes twenty calls.',
    },
    probes: [teamAmong, teamInCommas],
    judge: (reply, { home_team_id }, nth) => {
      if (found(reply, 'team_id', home_team_id)) return nth === 0 ? 'repeated' : 'comma list'
      return nth === 0 || reply.outcome === 'no answer' ? null : 'one value'
    },
  }),
  question({
    name: 'ids in a call',
    section: '§1',
    open: 'how many values an argument may have',
    assumed: '500',
    findings: {
      '500': 'As many as UPSTREAM_BATCH_SIZE says.',
      '100': 'At most a hundred ids a call.',
      '50': 'At most fifty ids a call.',
      '20': 'At most twenty ids a call.',
      '10': 'At most ten ids a call.',
    },
    probes: batchSizes.map((size) => ({ home_team_id, isPostRefused }: Subject): Probe | null => {
      if (!home_team_id) return null
      // Without POST, the length of the address limits the number of ids.
      const count = isPostRefused ? Math.min(Number(size), mostByGet) : Number(size)
      return {
        operation: operations.getTeam,
        arguments: { team_id: padded(count, home_team_id) },
        ...(!isPostRefused && { method: 'POST' }),
      }
    }),
    judge: (reply, { home_team_id }, nth) =>
      found(reply, 'team_id', home_team_id) ? (batchSizes[nth] ?? null) : null,
  }),
  question({
    name: 'length of an address',
    section: '§1',
    open: 'how long the address of a GET may be',
    assumed: '2000',
    findings: {
      '2000': 'Calls with a longer address go by POST.',
      '1000': 'Calls with a longer address go by POST.',
      '500': 'Calls with a longer address go by POST.',
      '250': 'Calls with a longer address go by POST.',
    },
    probes: addressLengths.map(
      (length) =>
        ({ home_team_id }: Subject): Probe | null =>
          home_team_id
            ? {
                operation: operations.getTeam,
                arguments: { team_id: padded(Math.floor((Number(length) - 10) / parameter), home_team_id) },
              }
            : null,
    ),
    judge: (reply, { home_team_id }, nth) =>
      found(reply, 'team_id', home_team_id) ? (addressLengths[nth] ?? null) : null,
  }),
]

/** The name of the question whether an operation takes several values of an argument. */
export const severalName = (operation: Operation, argument: string) =>
  `several ${argument} in ${nameOf(operation)}`

interface Several {
  readonly operation: Operation
  readonly argument: string
  readonly section: string
  /** A call that returns as few rows as possible for one id among others. */
  readonly probe?: (about: Subject) => Probe | null
}

function severalQuestion({ operation, argument, section, probe }: Several): Question {
  return question({
    name: severalName(operation, argument),
    section,
    open: `whether ${nameOf(operation)} takes several values of ${argument}`,
    assumed: 'accepted',
    findings: {
      accepted: 'One call for all.',
      refused: 'One call for each value.',
    },
    probes: probe ? [probe] : [],
    judge: (reply, about) => {
      if (isRefused(reply)) return 'refused'
      const asked = about[argument === 'game_id' ? 'game_id' : 'home_team_id']
      return found(reply, argument, asked) ? 'accepted' : null
    },
  })
}

/** A team's current rating, in the season of the game that was found. */
export const ratingAmong = ({ home_team_id, season }: Subject): Probe | null =>
  home_team_id && season
    ? single(operations.getElo, { team_id: among(home_team_id), season, current: 1 })
    : null

const single = (operation: Operation, values: Arguments): Probe => ({ operation, arguments: values })

/**
 * Arguments of which Statline passes several values. Those without a probe are answered by the running graph.
 */
export const severalByOperation: readonly Question[] = [
  severalQuestion({
    operation: operations.readElo,
    argument: 'team_id',
    section: '§4',
    probe: ratingAmong,
  }),
  severalQuestion({
    operation: operations.readOdds,
    argument: 'game_id',
    section: '§4',
    probe: ({ game_id }) =>
      game_id ? single({ ...operations.getOdds, arguments: ['game_id'] }, { game_id: among(game_id) }) : null,
  }),
  severalQuestion({
    operation: operations.readPlayerBoxscores,
    argument: 'game_id',
    section: '§4',
    probe: ({ game_id, home_team_id }) =>
      game_id && home_team_id
        ? single(playerBoxscore, { game_id: among(game_id), team_id: home_team_id })
        : null,
  }),
  severalQuestion({
    operation: operations.readBoxscore,
    argument: 'game_id',
    section: '§4',
    probe: ({ organization_id, game_id, home_team_id }) =>
      organization_id && game_id && home_team_id
        ? single(operations.readBoxscore, {
            organization_id,
            game_id: among(game_id),
            team_id: home_team_id,
          })
        : null,
  }),
  ...(
    [
      [operations.readBoxscore, 'team_id'],
      [operations.readPlayerBoxscores, 'team_id'],
      [operations.readTeams, 'team_id'],
      [operations.readGames, 'game_id'],
      [operations.readPlayers, 'player_id'],
      [operations.readCoaches, 'coach_id'],
      [operations.readConferences, 'conference_id'],
      [operations.readTransfers, 'player_id'],
    ] as const
  ).map(([operation, argument]) => severalQuestion({ operation, argument, section: '§4' })),
]

/** A player's boxscore by any column: `get` is a base operation of the table. */
const playerBoxscore: Operation = { ...operations.readPlayerBoxscores, function: 'get', answer: 'row' }
