import { gzipSync } from 'node:zlib'
import type { Variant } from './variant.ts'

/** A compressed answer is billed by its compressed bytes. */
export const compressedBills: Variant = {
  name: 'compressed bills',
  differs: ['compressed answers'],
  async answer(request, service) {
    const answer = await service(request)
    if (!request.gzip || answer.bytes < 100) return answer
    const { length } = gzipSync(answer.body)
    const usage = String(Math.max(1, Math.ceil(length / 1024)))
    const headers = {
      ...answer.headers,
      'content-encoding': 'gzip',
      'content-length': String(length),
      'x-request-usage': usage,
    }
    return { ...answer, headers }
  },
}
