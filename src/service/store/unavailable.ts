/** The database cannot be opened. The message is one line for the operator. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
}
