// Loaded into a program by `--import`: it waits longer for Redis, which shares a busy machine with the tests.
import { redisTimes } from '../dist/store/redis/redis-times.js'

redisTimes.longestWait = 30_000
