import type { Change } from '../../../src/money/ledger-store.ts'
import type { RedisLedger } from '../../../src/store/ledger/redis-ledger.ts'

/** Writes a call and its bill of 5 tokens. Returns whether Redis has it. */
export async function writeCall(ledger: RedisLedger, id: string): Promise<boolean> {
  const spent = {
    client: 'web',
    operation: 'Q',
    service: 'team/read',
    day: '2026-02-14',
    hour: '20',
    key: ledger.nameOf('key'),
    tokens: 5,
    estimated: 0,
    bytes: 900,
    calls: 1,
  }
  const opened = { ...spent, id }
  const changes: readonly Change[] = [
    { kind: 'open', opened },
    { kind: 'settle', opened, spent: [spent] },
  ]
  return (await ledger.write(changes))[0] === true
}
