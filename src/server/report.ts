/**
 * Prints what went wrong inside as one line of JSON, as the log's lines are: a message may repeat what a client sent, and a line break in it
 * would let that client write lines of its own.
 */
export function report(thrown: unknown): void {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const { name, message, stack } = error
  console.error(JSON.stringify({ level: 50, time: Date.now(), error: name, message, stack }))
}
