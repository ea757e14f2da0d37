import type { Progress } from '../league/publish.ts'

interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const barLength = 30
const redraw = 100

/** A progress bar on a terminal, redrawn at most ten times a second; elsewhere one line for each phase. */
export const drawProgress = (output: Terminal): Progress => (output.isTTY ? bar(output) : plain(output))

function plain(output: Terminal): Progress {
  let before = ''
  return (phase) => {
    if (phase !== before) output.write(`${phase}\n`)
    before = phase
  }
}

function bar(output: Terminal): Progress {
  let drawn = 0
  let before = ''
  return (phase, done, total) => {
    const finished = done >= total
    if (!finished && phase === before && Date.now() - drawn < redraw) return
    drawn = Date.now()
    if (before !== '' && phase !== before) output.write('\n')
    before = phase
    output.write(`\r\u001b[2K${line(phase, total === 0 ? 1 : done / total).slice(0, output.columns ?? 80)}`)
  }
}

function line(phase: string, share: number): string {
  const full = Math.round(Math.min(1, share) * barLength)
  const percent = `${Math.round(share * 100)}`.padStart(3)
  return `${'█'.repeat(full)}${'░'.repeat(barLength - full)} ${percent} %  ${phase}`
}
