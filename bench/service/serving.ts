import { addKey } from '../../src/service/keys/keys.ts'
import { serve } from '../../src/service/serve.ts'
import { reached } from '../child.ts'

/** The statistics service as a process: the sample league, or what was imported into a folder or a PostgreSQL. */
const [what, dataDir = '', databaseUrl] = process.argv.slice(2)
const settings = { host: '127.0.0.1', port: 0, dataDir, databaseUrl }
const service = await serve(settings, { sample: what === 'sample' })
const { key } = await addKey(service.database.accounts, Date.now, 'paid')
reached(service.url, key)
