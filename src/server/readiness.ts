import type { Plugin } from 'graphql-yoga'
import { jsonHeaders, readyAnswer } from './conditions.ts'
import type { Conditions } from './conditions.ts'

/** Answers `/ready`: 200 if queries can be answered, else 503, with the state of each part. */
export const useReadiness = (conditions: Conditions): Plugin => ({
  onRequest({ url, fetchAPI, endResponse }) {
    if (url.pathname !== '/ready') return
    const { status, body } = readyAnswer(conditions.readiness)
    // A copy: the response writes its length into the object.
    endResponse(new fetchAPI.Response(body, { status, headers: { ...jsonHeaders } }))
  },
})
