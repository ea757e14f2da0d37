import type { Plugin } from 'graphql-yoga'
import { jsonHeaders, readyAnswer } from './readiness-checks.ts'
import type { ReadinessChecks } from './readiness-checks.ts'

/** Answers `/ready`: 200 if queries can be answered, else 503, with the state of each part. */
export const useReadiness = (checks: ReadinessChecks): Plugin => ({
  onRequest({ url, fetchAPI, endResponse }) {
    if (url.pathname !== '/ready') return
    const { status, body } = readyAnswer(checks.readiness)
    // A copy: the response writes its length into the object.
    endResponse(new fetchAPI.Response(body, { status, headers: { ...jsonHeaders } }))
  },
})
