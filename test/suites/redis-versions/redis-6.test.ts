import { testsWith } from './store-tests.ts'

await testsWith({ release: 'bullseye', name: 'redis-server' }, /redis_version:6\.0\./)
