/**
 * Prints an internal error as one line of JSON, like a line of the log. A message may repeat client input,
 * and a line break in it could forge log lines.
 */
export function report(thrown: unknown): void {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const { name, message, stack } = error
  console.error(JSON.stringify({ level: 50, time: Date.now(), error: name, message, stack }))
}
