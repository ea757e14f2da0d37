/** Why a SQLite file cannot be opened, in words: libsql tells a number in its own syntax. */
export const openFault = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  return message.startsWith('ConnectionFailed(') ? 'the file cannot be opened for writing' : message
}
