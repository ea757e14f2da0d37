/** Maximum cached texts. */
const mostTexts = 2_000
/** Longer texts are not times, and would take memory that is not counted. */
const longest = 40

const known = new Map<string, number>()

/**
 * The time of a text in milliseconds; NaN if it is none. Results are cached, because rows of one answer share
 * most of their times.
 */
export function parseTime(text: string): number {
  if (text.length > longest) return Date.parse(text)
  let moment = known.get(text)
  if (moment === undefined) {
    if (known.size >= mostTexts) known.clear()
    known.set(text, (moment = Date.parse(text)))
  }
  return moment
}
