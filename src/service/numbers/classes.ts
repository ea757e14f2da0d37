import { ranksOf } from '../../specification/sport-statistics.ts'
import type { StatisticClass } from '../../specification/tables.ts'

/** What a row is about; `league` is the whole division. */
type Subject = 'team' | 'player' | 'coach' | 'conference' | 'league'

const subjects: Readonly<Record<StatisticClass, Subject>> = {
  statistic_ranking: 'team',
  player_statistic_ranking: 'player',
  coach_statistic_ranking: 'coach',
  conference_statistic_ranking: 'conference',
  league_statistic_ranking: 'league',
  conference_player_statistic_ranking: 'conference',
  league_player_statistic_ranking: 'league',
}

export const isPlayerClass = (kind: StatisticClass): boolean => ranksOf[kind] === 'players'

export const subjectOf = (kind: StatisticClass): Subject => subjects[kind]
