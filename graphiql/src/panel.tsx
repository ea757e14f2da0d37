import {
  useEditorContext,
  useExecutionContext,
  useHeadersEditorState,
  useOperationsEditorState,
  useVariablesEditorState,
} from '@graphiql/react'
import { useEffect, useState } from 'react'
import { useEditors } from './editors.ts'
import { refreshMonth, useMonth } from './month.ts'
import { HeaderPresets } from './presets.tsx'
import { usePrice } from './price.ts'
import { prepare, useRun } from './run.ts'
import { Summary } from './summary.tsx'
import { Waterfall } from './waterfall.tsx'

/** Milliseconds until a price is out of date, because rows of live games expire. */
const freshness = 15_000

/** Counts up while the page is visible. */
function useRounds(): number {
  const [round, setRound] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => document.hasFocus() && setRound((before) => before + 1), freshness)
    return () => clearInterval(timer)
  }, [])
  return round
}

/** The current tab, marked among many. Leaving a tab stops its run. */
function useTab() {
  const { tabs, activeTabIndex } = useEditorContext({ nonNull: true })
  const { stop } = useExecutionContext({ nonNull: true })
  const { id = '', operationName = null, response = null } = tabs[activeTabIndex] ?? {}
  useEffect(() => {
    stop()
    document.querySelector('.graphiql-tab-active')?.scrollIntoView({ block: 'nearest' })
  }, [id])
  // GraphiQL reports invalid variables and headers itself; nothing was run.
  const hasRun = response === null || response === '' || response.startsWith('{')
  return { id, operationName, hasRun }
}

/**
 * The expected cost of the query in the editor, the cost of the last run with its calls, and what remains.
 */
export function BillPanel({ bringsKey }: { bringsKey: boolean }) {
  useEditors()
  const tab = useTab()
  const [query] = useOperationsEditorState()
  const [variables] = useVariablesEditorState()
  const [headers] = useHeadersEditorState()
  const last = useRun(tab.id)
  const run = tab.hasRun ? last : null
  const round = useRounds()
  const draft = { query, variables, headers, operationName: tab.operationName }
  const price = usePrice(draft, `${run?.began.getTime()} ${run?.state}`, round)
  const expected = price?.estimate ? price.usual : null
  useEffect(() => prepare(tab.id, expected), [tab.id, expected])
  useEffect(refreshMonth, [round])
  return (
    <section className="bill" aria-label="Bill">
      <div className="summary">
        <Summary price={price} run={run} month={useMonth()} />
        <HeaderPresets tab={tab.id} bringsKey={bringsKey} />
      </div>
      {run && run.polls.length > 0 && (
        // Scrolling content has to be reachable by keyboard.
        <div className="waterfall" tabIndex={0} role="region" aria-label="Calls of this run">
          <Waterfall run={run} />
        </div>
      )}
    </section>
  )
}
