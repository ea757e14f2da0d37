/** First words of our variables that other programs hardly use. */
const ours = /^(ALLOWED|CORS|DRAIN|FRESH|MONTHLY|TRUSTED|UPSTREAM)_/

/** Other programs begin their variables with their name. Ours have none. */
const ownName = 'STATLINE_'

/**
 * A warning for each variable that resembles one of `known`: a few letters differ (`MONTHLY_TOKEN_BUDGT`),
 * words are missing (`MONTHLY_BUDGET`), it has one of our prefixes (`UPSTREAM_TOKEN`), or it begins with our name
 * (`STATLINE_PORT`).
 */
export function misspelled(variables: readonly string[], known: ReadonlySet<string>): readonly string[] {
  // Kubernetes sets STATLINE_PORT and others for a service of this name.
  const hasOwnName = !variables.includes(`${ownName}SERVICE_HOST`)
  return variables
    .filter((name) => /^[A-Z][A-Z\d_]*$/.test(name) && !known.has(name))
    .flatMap((name) => {
      const isOwn = hasOwnName && name.startsWith(ownName)
      const closest = closestTo(isOwn ? name.slice(ownName.length) : name, known)
      return closest ? [`The variable ${name} is unknown and has no effect. Is ${closest} meant?`] : []
    })
}

/** The known name that one was probably meant to be. */
function closestTo(name: string, known: ReadonlySet<string>): string | undefined {
  const nearest = [...known]
    .map((one) => ({ one, distance: distanceOf(name, one) }))
    .toSorted((a, b) => a.distance - b.distance)
  const prefix = ours.exec(name)?.[0]
  const found =
    nearest.find(({ one, distance }) => distance <= slips(one)) ??
    nearest.find(({ one }) => isShortFor(name, one)) ??
    nearest.find(({ one }) => prefix !== undefined && one.startsWith(prefix))
  return found?.one
}

/** The number of letters that may differ. Short names such as `HOST` resemble too many others. */
const slips = ({ length }: string) => (length < 6 ? 1 : 2)

/** Whether two or more words abbreviate words of the known name, in order: `DEFAULT_ORG_ID`. */
function isShortFor(name: string, known: string): boolean {
  const words = name.split('_')
  let rest = known.split('_')
  return (
    words.length > 1 &&
    words.every((word) => {
      const at = rest.findIndex((one) => word.length > 1 && one.startsWith(word))
      rest = rest.slice(at + 1)
      return at >= 0
    })
  )
}

/** The number of letters to insert, delete, replace or swap to turn one text into the other. */
function distanceOf(a: string, b: string): number {
  let before: readonly number[] = []
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + (isSame ? 0 : 1),
        isSwap ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = row
  }
  return at(last, b.length)
}

const at = (row: readonly number[], index: number) => row[index] ?? Number.POSITIVE_INFINITY
