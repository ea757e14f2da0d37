import { describeKills } from './killing.ts'

/** A few take seconds; `npm run suites` kills as often as the ledger has to bear. */
describeKills(Number(process.env['LEDGER_KILLS'] ?? 3))
