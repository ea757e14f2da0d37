import { read } from './variant.ts'
import type { Variant } from './variant.ts'

const isBulk = /^(?!organization|division).*\/(read\w*|download)$/

/** The key is a trial’s: it may not read in bulk. */
export const trialPlan: Variant = {
  name: 'trial plan',
  differs: ['plan', 'ranking/download'],
  async answer(request, service) {
    if (!isBulk.test(read(request).operation)) return service(request)
    const body = '{"error":"Access denied"}'
    return { status: 200, headers: { 'x-request-usage': '0' }, body, bytes: body.length }
  },
  isWhole: false,
}
