import { usePairColors } from '../parts/color.ts'
import { decimal, percent, signed, whole } from '../parts/numbers.ts'
import { Part } from '../parts/states.tsx'
import type { State } from '../parts/states.tsx'
import { SplitBar } from '../parts/split-bar.tsx'
import { codeOfTeam, readTeam } from '../parts/team-name.tsx'
import { LineTable } from './line-table.tsx'
import { MovementChart } from './movement-chart.tsx'
import { movementsOf, phasesOf } from './movement.ts'
import type { LinePhase } from './movement.ts'
import { phaseOf } from './scoreline.tsx'
import type { Game } from './scoreline.tsx'
import './summary.css'

/** The teams' short codes and colours, the visitors first. */
export function useSides(game: Game) {
  const colors = usePairColors(readTeam(game.awayTeam), readTeam(game.homeTeam))
  return {
    codes: [codeOfTeam(game.awayTeam), codeOfTeam(game.homeTeam)],
    colors,
    away: { code: codeOfTeam(game.awayTeam), color: colors[0] },
    home: { code: codeOfTeam(game.homeTeam), color: colors[1] },
  } as const
}

type Sides = ReturnType<typeof useSides>

interface PartProps {
  readonly game: Game
  /** The query of the game. */
  readonly shown: State
  readonly phases: readonly LinePhase[]
  readonly sides: Sides
}

/** Who wins, as the prediction and as the lines have it, each said to be of before or of during the game. */
function Chances({ game, shown, phases, sides }: PartProps) {
  const { prediction } = game
  const market = phases
    .filter(({ label }) => label !== 'Opening' && label !== 'Last live')
    .map(({ label, line }) => ({ label: `${label} money lines`, home: line.homeChance }))
  const all = [
    ...market.toReversed(),
    {
      label: phaseOf(game) === 'before' ? 'Prediction' : 'Prediction before the game',
      home: prediction?.homePercentage ?? null,
    },
  ]
  const known = all.filter((bar): bar is { label: string; home: number } => bar.home !== null)
  return (
    <section className="panel">
      <h2>Win probability</h2>
      <Part
        of={shown}
        value={known}
        field="prediction"
        what="the prediction"
        empty="Nobody has predicted this game."
      >
        {(bars) =>
          bars.map(({ label, home }) => (
            <SplitBar key={label} label={label} share={1 - home} names={sides.codes} colors={sides.colors} />
          ))
        }
      </Part>
      {prediction && (
        <p className="under predicted-score">
          Predicted score: {sides.away.code} {whole(prediction.awayScore)}, {sides.home.code}{' '}
          {whole(prediction.homeScore)}
        </p>
      )}
    </section>
  )
}

/** `CBU beat the spread by 1.5 points.` */
function spreadResult({ spread, spreadMargin }: NonNullable<Game['lineResult']>, { codes }: Sides) {
  if (spread === 'PUSH') return 'The margin was exactly the spread.'
  if (!spread || spreadMargin == null) return null
  return `${codes[spread === 'AWAY' ? 0 : 1]} beat the spread by ${decimal(Math.abs(spreadMargin))} points.`
}

function totalResult({ total, totalMargin }: NonNullable<Game['lineResult']>) {
  if (total === 'PUSH') return 'The points were exactly the total.'
  if (!total || totalMargin == null) return null
  return `${total === 'OVER' ? 'Over' : 'Under'} the total by ${decimal(Math.abs(totalMargin))} points.`
}

/** The line from its opening on, how far it has moved, and how the game came out against it. */
function Line({ game, shown, phases, sides }: PartProps) {
  const results = game.lineResult ? [spreadResult(game.lineResult, sides), totalResult(game.lineResult)] : []
  return (
    <section className="panel">
      <h2>Line</h2>
      <Part of={shown} value={phases} field="odds" what="the line" empty="No line was offered.">
        {(known) => <LineTable phases={known} home={sides.home.code} away={sides.away.code} />}
      </Part>
      {results.filter(Boolean).map((result) => (
        <p key={result} className="result">
          {result}
        </p>
      ))}
    </section>
  )
}

/** How the home team's chances and spread moved before the game: `From −19.5 to −13.5.` */
export function movedOf(phases: readonly LinePhase[], home: string): string | null {
  const [opening, closing] = phases.filter(({ line }) => !line.isLive).map(({ line }) => line)
  if (opening?.spread == null || closing?.spread == null) return null
  const chances =
    opening.homeChance === null || closing.homeChance === null
      ? ''
      : `, its chances from ${percent(opening.homeChance)} to ${percent(closing.homeChance)}`
  return `The spread on ${home} moved from ${signed(opening.spread)} to ${signed(closing.spread)}${chances}.`
}

/** What a reader wants to know first of a game: who wins, at which line, and how both have moved. */
export function Summary({ game, shown }: { game: Game; shown: State }) {
  const sides = useSides(game)
  const movements = movementsOf(game.odds?.history)
  const phases = phasesOf(movements, phaseOf(game))
  return (
    <div className="panels summary">
      <Chances game={game} shown={shown} phases={phases} sides={sides} />
      <Line game={game} shown={shown} phases={phases} sides={sides} />
      {movements.length > 1 && (
        <section className="panel wide">
          <MovementChart
            movements={movements}
            home={sides.home}
            away={sides.away}
            predicted={game.prediction?.homePercentage ?? null}
          />
        </section>
      )}
    </div>
  )
}
