import type { Figures } from './figures.ts'

/** One figure of a season as it is printed, and what the sample league's has to be. */
export interface Target {
  readonly name: string
  /** Empty where the figure is shown for comparison alone. */
  readonly target: string
  readonly show: (figures: Figures) => string
  readonly holds: (figures: Figures) => boolean
}

const none = '–'
const points = (value: number | null) => value?.toFixed(1) ?? none
const percent = (value: number | null) => (value === null ? none : `${(100 * value).toFixed(1)} %`)
const loss = (value: number | null) => value?.toFixed(3) ?? none
const clock = (minute: number | null) =>
  minute === null ? none : `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`
const within = (value: number | null, low: number, high: number) =>
  value !== null && value >= low && value <= high
const always = () => true

const behind = ({ predictions, market }: Figures) => (market === null ? null : predictions - market)

const ofAnySport: readonly Target[] = [
  { name: 'games', target: '', show: ({ games }) => String(games), holds: always },
  {
    name: 'total above the line',
    target: '−1 to 1',
    show: ({ totalResidual }) => points(totalResidual),
    holds: ({ totalResidual }) => within(totalResidual, -1, 1),
  },
  {
    name: 'overs',
    target: '47–53 %',
    show: ({ overs }) => percent(overs),
    holds: ({ overs }) => within(overs, 0.47, 0.53),
  },
  {
    name: 'home wins',
    target: '60–66 %',
    show: ({ homeWins }) => percent(homeWins),
    holds: ({ homeWins }) => within(homeWins, 0.6, 0.66),
  },
  {
    name: 'gaps of one day',
    target: 'at most 15 %',
    show: ({ oneDayGaps }) => percent(oneDayGaps),
    holds: ({ oneDayGaps }) => oneDayGaps <= 0.15,
  },
  {
    name: 'log loss of predictions',
    target: '',
    show: ({ predictions }) => loss(predictions),
    holds: always,
  },
  { name: 'log loss of the market', target: '', show: ({ market }) => loss(market), holds: always },
  {
    name: 'predictions behind the market',
    target: 'at most 0.03',
    show: (figures) => loss(behind(figures)),
    holds: (figures) => (behind(figures) ?? 1) <= 0.03,
  },
  {
    name: 'on the market’s side',
    target: 'at least 85 %',
    show: ({ sameSide }) => percent(sameSide),
    holds: ({ sameSide }) => (sameSide ?? 0) >= 0.85,
  },
  {
    name: 'first start (UTC)',
    target: 'from 11:00',
    show: ({ firstStart }) => clock(firstStart),
    holds: ({ firstStart }) => (firstStart ?? 0) >= 11 * 60,
  },
  {
    name: 'last start (UTC)',
    target: 'to 22:30',
    show: ({ lastStart }) => clock(lastStart),
    holds: ({ lastStart }) => (lastStart ?? 1_440) <= 22.5 * 60,
  },
]

const ofBasketball: readonly Target[] = [
  {
    name: 'score of a side',
    target: '70–76',
    show: ({ score }) => points(score),
    holds: ({ score }) => within(score, 70, 76),
  },
  { name: 'pace', target: '', show: ({ pace }) => points(pace), holds: always },
  {
    name: 'pace, deviation of teams',
    target: 'at least 2',
    show: ({ paceDeviation }) => points(paceDeviation),
    holds: ({ paceDeviation }) => (paceDeviation ?? 0) >= 2,
  },
]

const ofFootball: readonly Target[] = [
  { name: 'score of a side', target: '', show: ({ score }) => points(score), holds: always },
]

/** What is shown of a season of a sport, and what the sample league's has to be. */
export const targetsOf = (sport: 'basketball' | 'football'): readonly Target[] => [
  ...ofAnySport,
  ...(sport === 'basketball' ? ofBasketball : ofFootball),
]
