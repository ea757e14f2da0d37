import { nameOf } from '../../specification/operation.ts'
import { operations } from '../../specification/operations.ts'
import type { Operation } from '../../specification/operation.ts'
import { isRefused, nobody, question } from './question.ts'
import type { Probe, Question, Subject } from './question.ts'

/** The question whether an operation applies a filter. */
export const filterName = (operation: Operation, argument: string) => `${argument} of ${nameOf(operation)}`

/**
 * An operation, and arguments that filter its rows by one of their columns. The probe of a filter uses `get`,
 * which takes the filters of `read` but answers with one row. So even a service that ignores the filter bills
 * one row.
 */
interface Filters {
  readonly operation: Operation
  readonly section: string
  readonly arguments: readonly string[]
  readonly probes?: Readonly<Record<string, (about: Subject) => Probe | null>>
}

/** A season that no league has. */
const noSeason = 1800

const filters: readonly Filters[] = [
  {
    operation: operations.readGames,
    section: '§4',
    arguments: ['season', 'home_team_id', 'away_team_id', 'game_id'],
    probes: {
      season: ({ home_team_id }) =>
        home_team_id
          ? {
              operation: operations.getGame,
              arguments: { season: noSeason, home_team_id },
              rows: 0,
            }
          : null,
      home_team_id: ({ season }) =>
        season
          ? { operation: operations.getGame, arguments: { season, home_team_id: nobody }, rows: 0 }
          : null,
    },
  },
  {
    operation: operations.readPlayerBoxscores,
    section: '§4',
    arguments: ['game_id', 'team_id'],
  },
  {
    operation: operations.readElo,
    section: '§4',
    arguments: ['organization_id', 'division_id', 'team_id', 'season', 'current'],
    probes: {
      team_id: ({ season }) =>
        season ? { operation: operations.getElo, arguments: { team_id: nobody, season }, rows: 0 } : null,
    },
  },
  { operation: operations.readOdds, section: '§4', arguments: ['game_id'] },
  { operation: operations.readBoxscore, section: '§4', arguments: ['game_id', 'team_id', 'season'] },
  { operation: operations.readTransfers, section: '§4', arguments: ['season', 'player_id'] },
  { operation: operations.readTeams, section: '§4', arguments: ['team_id'] },
  { operation: operations.readPlayers, section: '§4', arguments: ['player_id'] },
  { operation: operations.readCoaches, section: '§4', arguments: ['coach_id'] },
  { operation: operations.readConferences, section: '§4', arguments: ['conference_id'] },
]

const filterQuestion = ({ operation, section, probes }: Filters, argument: string): Question =>
  question({
    name: filterName(operation, argument),
    section,
    open: `whether ${nameOf(operation)} narrows by ${argument}`,
    assumed: 'applied',
    findings: {
      applied: 'The service narrows the answer.',
      ignored:
        operation === operations.readGames
          ? 'A team’s season is found by its scores. Other rows that come are kept and left out of the answer.'
          : 'The argument is not sent, and applied here. All rows that come are kept.',
      refused:
        operation === operations.readGames
          ? 'A team’s season is found by its scores.'
          : 'What needs it fails with UNSUPPORTED, without a call.',
    },
    probes: probes?.[argument] ? [probes[argument]] : [],
    judge: (reply) => {
      if (isRefused(reply)) return 'refused'
      if (reply.outcome === 'nothing') return 'applied'
      return reply.outcome === 'rows' ? 'ignored' : null
    },
  })

/** One question for each filter of a read. Those without a probe are answered by the running graph. */
export const filtersOfReads: readonly Question[] = filters.flatMap((those) =>
  those.arguments.map((argument) => filterQuestion(those, argument)),
)

/** The arguments of an operation that can be applied to its rows here if the service ignores them. */
export const filtersOf: ReadonlyMap<string, readonly string[]> = new Map(
  filters.map(({ operation, arguments: names }) => [nameOf(operation), names]),
)
