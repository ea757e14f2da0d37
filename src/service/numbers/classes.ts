import type { StatisticClass } from '../../specification/tables.ts'

interface Statistics {
  /** Whose statistics its rows have, or average. */
  readonly of: 'teams' | 'players'
  /** What each row is about; `league` is the whole division. */
  readonly subject: 'team' | 'player' | 'coach' | 'conference' | 'league'
}

const classes: { readonly [K in StatisticClass]: Statistics } = {
  statistic_ranking: { of: 'teams', subject: 'team' },
  player_statistic_ranking: { of: 'players', subject: 'player' },
  coach_statistic_ranking: { of: 'teams', subject: 'coach' },
  conference_statistic_ranking: { of: 'teams', subject: 'conference' },
  league_statistic_ranking: { of: 'teams', subject: 'league' },
  conference_player_statistic_ranking: { of: 'players', subject: 'conference' },
  league_player_statistic_ranking: { of: 'players', subject: 'league' },
}

export const isPlayerClass = (kind: StatisticClass): boolean => classes[kind].of === 'players'

export const subjectOf = (kind: StatisticClass): Statistics['subject'] => classes[kind].subject
