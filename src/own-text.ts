/** Shorter parts are copied by V8 itself. */
const shortestPart = 13

/**
 * A text in memory of its own. A part of a text refers to the whole: a kept id of a document, or a kept name of 20
 * characters, would keep the mebibyte that it was sent in.
 */
export const ownText = (part: string): string =>
  part.length < shortestPart ? part : (JSON.parse(JSON.stringify(part)) as string) // it was a text
