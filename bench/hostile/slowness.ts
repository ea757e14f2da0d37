import { percentile } from '../load.ts'

/** Milliseconds of the control on the machine that the bounds are for. */
export const usualMs = 3.4

/** The control: a fixed piece of work that is neither memory's nor the garbage collector's. Returns its milliseconds. */
export function controlMs(): number {
  const from = performance.now()
  let sum = 0
  for (let count = 0; count < 30_000_000; count += 1) sum += count
  // The sum is read, so that the loop is not left out.
  return sum > 0 ? performance.now() - from : 0
}

/** How many times slower this machine is than the one that the bounds are for, by the median of controls. */
export const slownessOf = (controls: readonly number[]): number =>
  percentile(
    controls.toSorted((one, other) => one - other),
    0.5,
  ) / usualMs
