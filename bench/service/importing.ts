import { importSeason } from '../../src/service/importing.ts'

/** Imports the real basketball season in its own process, and reports time and memory to the parent. */
const [source = '', dataDir = '', databaseUrl] = process.argv.slice(2)
const settings = { host: '127.0.0.1', port: 0, dataDir, databaseUrl }
const begun = performance.now()
await importSeason('ncaa-hoops', source, settings, new AbortController().signal)
const seconds = (performance.now() - begun) / 1000
process.send?.({ seconds, mebibytes: process.resourceUsage().maxRSS / 1024 })
process.disconnect?.()
