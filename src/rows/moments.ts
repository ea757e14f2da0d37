/** Texts that are remembered. */
const mostTexts = 2_000
/** Longer texts are no times of this service, and would take memory that nobody counts. */
const longest = 40

const known = new Map<string, number>()

/** The time of a text in milliseconds; NaN where it is none. Rows of an answer share most of theirs, and reading one takes long. */
export function momentOf(text: string): number {
  if (text.length > longest) return Date.parse(text)
  let moment = known.get(text)
  if (moment === undefined) {
    if (known.size >= mostTexts) known.clear()
    known.set(text, (moment = Date.parse(text)))
  }
  return moment
}
