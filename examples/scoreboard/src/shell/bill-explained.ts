import type { Asked, Client } from 'statline-client'
import { billOpen } from './bill-open.ts'
import { bill } from './bill-store.ts'

/** Rows of this age, in seconds, serve to explain a query: what they were bought for is on the page. */
const maxAge = 3_600

/**
 * While the bill is open, has queries explained that were sent while it was closed, by a client that asks for
 * every plan. Their rows are kept, so it costs nothing. To be called once.
 */
export function explainBill(explainer: Client): void {
  const again = ({ document, variables }: Asked) => explainer.query(document, variables as never, { maxAge }) // those that the document was sent with
  const explain = () => void (billOpen.current() && bill.explain(again))
  bill.subscribe(explain)
  billOpen.subscribe(explain)
}
