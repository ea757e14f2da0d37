import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Client, StatlineProvider } from 'statline/client'
import { App } from './app.tsx'
import { bill } from './bill.tsx'
import { key } from './key.tsx'
import './style.css'

const client = new Client({
  url: new URL('/graphql', location.href).href,
  headers: key.headers,
  onAnswer: bill.add,
})
const page = document.getElementById('page')

if (page)
  createRoot(page).render(
    <StrictMode>
      <StatlineProvider client={client}>
        <App />
      </StatlineProvider>
    </StrictMode>,
  )
