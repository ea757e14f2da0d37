/** A command was called with wrong arguments. The message shows its usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
