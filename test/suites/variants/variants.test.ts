import { describeVariants } from '../../service/variants/described.ts'

// Every query of the bill benchmark.
describeVariants(45)
