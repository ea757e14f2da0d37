import { describeKills } from './killing.ts'

/** A few kills take seconds. `npm run suites` kills many more times. */
describeKills(Number(process.env['LEDGER_KILLS'] ?? 3))
