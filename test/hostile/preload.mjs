/**
 * Runs in Statline's process before Statline does. Its date stands still, so that what is fresh does not depend on how
 * fast the machine is. Answers a message with the bytes in use after a garbage collection.
 */
const { HOSTILE_MOMENT: moment } = process.env
if (moment) Date.now = () => Number(moment)

process.on('message', () => {
  globalThis.gc()
  setImmediate(() => {
    globalThis.gc()
    const { heapUsed, external } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    process.send({ bytes: heapUsed + external, cpu: (user + system) / 1_000 })
  })
})
