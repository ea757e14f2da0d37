import { useEditorContext } from '@graphiql/react'
import { useEffect } from 'react'

/** Tab moves to the next control. An editor that uses the key itself cannot be left by keyboard. */
const keys = { Tab: false, 'Shift-Tab': false } as const

/** Wraps long lines, so that nothing is cut off in a narrow window. */
export function useEditors(): void {
  const { queryEditor, variableEditor, headerEditor, responseEditor } = useEditorContext({ nonNull: true })
  useEffect(() => {
    for (const editor of [queryEditor, variableEditor, headerEditor, responseEditor]) {
      editor?.setOption('lineWrapping', true)
      editor?.addKeyMap(keys, true)
    }
  }, [queryEditor, variableEditor, headerEditor, responseEditor])
}
