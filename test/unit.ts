/**
 * Tests of pure functions, and of classes without a database, a server or a process: `npm run unit`. They have no
 * setup, so one file takes a second. `unit.test.ts` sees that they load nothing else.
 */
export const unit = [
  'test/browser/{contrast,likeness,player-numbers,polls}.test.ts',
  'test/calls/call.test.ts',
  'test/capabilities/differences.test.ts',
  'test/client/{bill-types,document-texts,failed-pages,pause,polling,print,size,stores,whole-state}.test.ts',
  'test/commands/command.test.ts',
  'test/contract/*.test.ts',
  'test/derived/*.test.ts',
  'test/graph/execution/json-writer.test.ts',
  'test/graph/kept-plans.test.ts',
  'test/live/{mailbox,pace}.test.ts',
  'test/memory/listed.test.ts',
  'test/money/{allowance,client-budgets,known-spending,ledger,ledgers,lost-spending,prepaid,price,separation,spending-table,usage-header}.test.ts',
  'test/patience.test.ts',
  'test/plan/*.test.ts',
  'test/rows/*.test.ts',
  'test/service/conformance/document.test.ts',
  'test/service/import/progress.test.ts',
  'test/service/numbers/*.test.ts',
  'test/service/randomized-trial.test.ts',
  'test/service/tables.test.ts',
  'test/store/answers/packing.test.ts',
  'test/store/ledger/{allotments,key-names}.test.ts',
  'test/store/redis/time-limit.test.ts',
  'test/account/trial-signs.test.ts',
  'test/wire/{concurrency-limiter,retry-after}.test.ts',
  'test/{architecture,docs,own-text,replace-file,unit,young-generation}.test.ts',
]
