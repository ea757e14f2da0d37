/** What goes on when its turn comes, the longest waiting first. */
const waiting: (() => void)[] = []

/**
 * Goes on in a later turn of the event loop. In each turn only one goes on, so that requests which arrive wait for one
 * slice of work, however many executions there are.
 */
export function giveWay(goOn: () => void): void {
  if (waiting.push(goOn) === 1) setImmediate(next)
}

function next(): void {
  const goOn = waiting.shift()
  if (waiting.length > 0) setImmediate(next)
  goOn?.()
}
