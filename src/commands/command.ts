/** A command of `npx statline`. If a part is missing, it does not compile. */
export interface Command {
  /** What it is for, in one line of the list of commands. */
  readonly summary: string
  /** What `--help` prints: how it is called, and what each option means. */
  readonly help: string
  /** Runs it. Returns the exit code. Throws UsageError. */
  readonly run: (args: readonly string[]) => Promise<number>
}

/** The list of commands, one a line. */
export function usageOf(commands: Readonly<Record<string, Command>>): string {
  const widest = Math.max(...Object.keys(commands).map((name) => name.length))
  return Object.entries(commands)
    .map(([name, { summary }]) => `statline ${name.padEnd(widest)}  ${summary}`)
    .join('\n')
}
