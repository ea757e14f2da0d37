import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/context.ts'
import { free } from '../graph/cost.ts'

const usage = builder.objectRef<Context>('Usage').implement({
  cost: free,
  description:
    'What the service has billed to the key of the request in this calendar month (UTC), across restarts. Costs nothing.',
  fields: (t) => ({
    month: t.string({
      nullable: false,
      description: 'The month, `YYYY-MM`.',
      resolve: (context) => totals(context).month,
    }),
    tokens: t.float({
      nullable: false,
      description: 'Tokens billed so far.',
      resolve: (context) => totals(context).tokens,
    }),
    bytes: t.float({
      nullable: false,
      description: 'Bytes of the service’s answers.',
      resolve: (context) => totals(context).bytes,
    }),
    calls: t.int({
      nullable: false,
      description: 'Calls sent to the service.',
      resolve: (context) => totals(context).calls,
    }),
    budget: t.float({
      description: 'Tokens that may be spent in the month; null without a budget.',
      resolve: (context) => ledgerOf(context).budget,
    }),
    remaining: t.float({
      description: 'Tokens that may still be spent; null without a budget.',
      resolve: (context) => ledgerOf(context).remaining,
    }),
  }),
})

const ledgerOf = ({ clientRequest: request }: Context) => request.account.ledger
const totals = (context: Context) => ledgerOf(context).totals()

builder.queryField('usage', (t) =>
  t.field({
    type: usage,
    nullable: false,
    description: 'What the month has cost so far, and what remains of its budget. Costs nothing.',
    resolve: async (_root, _args, context) => {
      const { clientRequest: request } = context
      request.touchMoment()
      await request.account.refreshLedger()
      return context
    },
  }),
)
