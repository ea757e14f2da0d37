/** Where a command writes, and what ends it. */
export interface Terminal {
  out(line: string): void
  err(line: string): void
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal
}

/** The mistake of whoever typed a command, in one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The terminal of this process, ended by SIGTERM and SIGINT. A second signal ends it at once. */
export function processTerminal(): Terminal {
  const ending = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ending.abort())
  return {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    signal: ending.signal,
  }
}
