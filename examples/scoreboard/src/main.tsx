import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Client } from 'statline-client'
import { StatlineProvider } from 'statline-client/react'
import { App } from './app.tsx'
import './design/tokens.css'
import './design/base.css'
import { key } from './parts/key.tsx'
import { followLinks } from './routing/location.ts'
import { keepPositions } from './routing/scroll.ts'
import { explainBill } from './shell/bill-explained.ts'
import { billOpen } from './shell/bill-open.ts'
import { bill } from './shell/bill-store.ts'

const graph = { url: new URL('/graphql', location.href).href, headers: key.headers }
const client = new Client({ ...graph, explain: billOpen.current, onAnswer: bill.add })
const page = document.getElementById('page')

followLinks()
keepPositions()
explainBill(new Client({ ...graph, explain: true }))
if (page)
  createRoot(page).render(
    <StrictMode>
      <StatlineProvider client={client}>
        <App />
      </StatlineProvider>
    </StrictMode>,
  )
