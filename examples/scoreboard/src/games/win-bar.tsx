import { usePairColors } from '../parts/color.ts'
import { percent } from '../parts/numbers.ts'
import { codeOfTeam, readTeam } from '../parts/team-name.tsx'
import type { TeamKey } from '../parts/team-name.tsx'
import './win-bar.css'

interface WinBarProps {
  readonly away: TeamKey
  readonly home: TeamKey
  /** The home team's chance, 0 to 1. */
  readonly share: number
}

/** Both teams’ chances before the game, as words and as a bar in the teams’ colours. */
export function WinBar({ away, home, share }: WinBarProps) {
  const [awayColor, homeColor] = usePairColors(readTeam(away) ?? {}, readTeam(home) ?? {})
  return (
    <div className="win">
      <p>
        <span className="win-label">To win, before the game</span>
        <span className={share < 0.5 ? 'ahead' : undefined}>
          {codeOfTeam(away)} {percent(1 - share)}
        </span>
        <span className={share > 0.5 ? 'ahead' : undefined}>
          {codeOfTeam(home)} {percent(share)}
        </span>
      </p>
      <div className="win-bar" aria-hidden="true">
        <span style={{ flexGrow: 1 - share, background: awayColor }} />
        <span style={{ flexGrow: share, background: homeColor }} />
      </div>
    </div>
  )
}
