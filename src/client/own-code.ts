/**
 * Calls the page’s own code. What it throws is reported as uncaught, as a browser does with a listener of its own
 * events, and concerns nobody else.
 */
export function callOwn(call: () => void): void {
  try {
    call()
  } catch (error) {
    report(error)
  }
}

function report(error: unknown): void {
  // Browsers have it, Node.js does not.
  if (typeof reportError === 'function') reportError(error)
  else
    queueMicrotask(() => {
      throw error
    })
}
