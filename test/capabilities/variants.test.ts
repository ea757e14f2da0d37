import { describeVariants } from '../service/variants/described.ts'

// A fair sample of the bill benchmark's queries: by day, by ids, by season, by search. The suites ask all.
describeVariants([
  'scoreboard: teams, scores, predictions and lines',
  'the day’s games with both teams’ Elo',
  'season: schedule with opponents and lines',
  'five followed games: both boxscores',
  'the home team’s player lines',
])
