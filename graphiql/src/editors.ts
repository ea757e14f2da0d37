import { useEditorContext } from '@graphiql/react'
import { useEffect } from 'react'

/** Tab goes on to what comes next, as on any page: an editor that keeps it cannot be left by keyboard. */
const keys = { Tab: false, 'Shift-Tab': false } as const

/** Long lines wrap, so that nothing is cut off in a narrow window. */
export function useEditors(): void {
  const { queryEditor, variableEditor, headerEditor, responseEditor } = useEditorContext({ nonNull: true })
  useEffect(() => {
    for (const editor of [queryEditor, variableEditor, headerEditor, responseEditor]) {
      editor?.setOption('lineWrapping', true)
      editor?.addKeyMap(keys, true)
    }
  }, [queryEditor, variableEditor, headerEditor, responseEditor])
}
