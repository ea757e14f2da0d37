/** Milliseconds: only what hangs takes so long, also on a machine that does much else. */
export const longest = 300_000

/** Waits until a condition holds, or for as long as a slow machine may need. What is shown then says what is missing. */
export async function until(isSo: () => boolean): Promise<void> {
  const start = performance.now()
  while (!isSo() && performance.now() - start < longest)
    await new Promise((resolve) => setTimeout(resolve, 25))
}
