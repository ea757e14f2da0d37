import { distanceOf, nearestName } from './nearest-name.ts'

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
  const prefix = ours.exec(name)?.[0]
  const byDistance = [...known].toSorted((a, b) => distanceOf(name, a) - distanceOf(name, b))
  return (
    nearestName(name, known) ??
    byDistance.find((one) => isShortFor(name, one)) ??
    byDistance.find((one) => prefix !== undefined && one.startsWith(prefix))
  )
}

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
