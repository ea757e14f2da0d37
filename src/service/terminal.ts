/** A command's output, and its abort signal. */
export interface Terminal {
  out(line: string): void
  err(line: string): void
  /** Aborted when the process is asked to exit. */
  readonly signal: AbortSignal
}

/** A user error in a command, in one line. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** The terminal of this process, ended by SIGTERM or SIGINT. A second signal exits at once. */
export function processTerminal(): Terminal {
  const ending = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ending.abort())
  return {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    signal: ending.signal,
  }
}
