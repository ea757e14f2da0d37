/** A command was given arguments that it does not take. The message tells how it is used. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
