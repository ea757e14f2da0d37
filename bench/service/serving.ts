import { addKey } from '../../src/service/keys/keys.ts'
import { serve } from '../../src/service/serve.ts'
import { startService } from '../../src/service/service.ts'
import { openDatabase } from '../../src/service/store/database.ts'
import { reached } from '../child.ts'

/**
 * The statistics service as a process: the sample league, or what was imported into a folder or a PostgreSQL.
 * `still`: the sample league that is there, without the live games that cost time of their own.
 */
const [what, dataDir = '', databaseUrl] = process.argv.slice(2)
const settings = { host: '127.0.0.1', port: 0, dataDir, databaseUrl }
const { url, database } =
  what === 'still' ? await serveStill() : await serve(settings, { sample: what === 'sample' })
const { key } = await addKey(database.accounts, Date.now, 'paid')
reached(url, key)

async function serveStill() {
  const opened = await openDatabase(databaseUrl ?? `${dataDir}/sample`, dataDir)
  const service = await startService({ database: opened })
  return { url: service.url, database: opened }
}
