import './scrubber.css'

interface ScrubberProps {
  readonly label: string
  readonly count: number
  readonly at: number
  readonly onMove: (at: number) => void
  /** What is to be read at this place. */
  readonly text: string
}

/** Moves along a chart's points: by finger, by mouse and by the arrow keys. */
export function Scrubber({ label, count, at, onMove, text }: ScrubberProps) {
  if (count < 2) return null
  return (
    <input
      className="scrubber"
      type="range"
      min={0}
      max={count - 1}
      step={1}
      value={at}
      aria-label={label}
      aria-valuetext={text}
      onChange={({ target }) => onMove(Number(target.value))}
    />
  )
}
