import type { ServerResponse } from 'node:http'

/**
 * Prints an internal error as one line of JSON, like a line of the log. A message may repeat client input,
 * and a line break in it could forge log lines.
 */
export function report(thrown: unknown): void {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const { name, message, stack } = error
  console.error(JSON.stringify({ level: 50, time: Date.now(), error: name, message, stack }))
}

/** Reports an internal error, and ends the request's response: with status 500, unless it has begun. */
export function fail(response: ServerResponse, thrown: unknown): void {
  report(thrown)
  if (response.headersSent) response.destroy()
  else response.writeHead(500).end()
}
