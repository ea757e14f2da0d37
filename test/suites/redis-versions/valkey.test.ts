import { testsWith } from './store-tests.ts'

await testsWith({ release: 'trixie', name: 'valkey-server' }, /valkey_version:8\./)
