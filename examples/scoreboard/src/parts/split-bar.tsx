import './split-bar.css'

interface SplitBarProps {
  /** What is shared out: `Prediction before the game`. */
  readonly label: string
  /** The first side's share, 0 to 1. */
  readonly share: number
  readonly names: readonly [string, string]
  readonly colors: readonly [string, string]
}

const percent = (share: number) => `${Math.round(share * 100)}%`

/** How a whole is shared by two sides, as one bar of two colours with both shares in words. */
export function SplitBar({ label, share, names, colors }: SplitBarProps) {
  const shares = [percent(share), percent(1 - share)]
  return (
    <div className="split">
      <p className="split-label">{label}</p>
      <p className="split-sides">
        {names.map((name, at) => (
          <span key={at} className={(at === 0) === share >= 0.5 ? 'ahead' : undefined}>
            {name} {shares[at]}
          </span>
        ))}
      </p>
      <div className="split-bar" aria-hidden="true">
        <span style={{ flexGrow: share, background: colors[0] }} />
        <span style={{ flexGrow: 1 - share, background: colors[1] }} />
      </div>
    </div>
  )
}
