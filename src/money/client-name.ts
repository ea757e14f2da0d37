/** Longer names of clients are cut off. */
const longestName = 64

/** A client's name as it is recorded: printable ASCII, without spaces around it, of bounded length. */
export const recordedName = (given: string): string =>
  given
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, longestName)
