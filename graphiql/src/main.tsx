import { GraphiQL } from 'graphiql'
import { createRoot } from 'react-dom/client'
import 'graphiql/style.css'
import './style.css'
import './narrow.css'
import { mendAccessibility } from './accessibility.ts'
import { blank, examples } from './examples.ts'
import type { Settings } from './examples.ts'
import { fetcher } from './fetcher.ts'
import { BillPanel } from './panel.tsx'

// The server writes them into the page.
const settings = JSON.parse(document.body.dataset['settings'] ?? '{}') as Settings
const page = document.getElementById('page')

// Radix’ dialogs, which GraphiQL uses, look for it here.
Object.assign(globalThis, { __webpack_nonce__: settings.nonce })

if (page) {
  mendAccessibility(page)
  createRoot(page).render(
    <GraphiQL
      fetcher={fetcher}
      defaultTabs={examples(settings)}
      defaultQuery={blank}
      defaultEditorToolsVisibility="variables"
    >
      <GraphiQL.Logo>
        <h1>Statline</h1>
      </GraphiQL.Logo>
      <GraphiQL.Footer>
        <BillPanel bringsKey={settings.bringsKey ?? false} />
      </GraphiQL.Footer>
    </GraphiQL>,
  )
}
