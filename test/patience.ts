/** Milliseconds of a test or a hook: only what hangs takes so long, also where three browsers share two slow cores. */
export const longest = 600_000

/**
 * Milliseconds until a condition holds that a test polls, such as what a page shows or what another process has written.
 * Machines differ more than tests can know: it is reached only by what never comes, and a failure then says what it was.
 */
export const patience = 300_000
