import { constants, setPriority } from 'node:os'

/** A process that keeps a core busy at the lowest priority, until its parent ends. */
const parent = process.ppid
setPriority(constants.priority.PRIORITY_LOW)
while (process.ppid === parent) for (let count = 0; count < 1_000_000; count += 1);
