import { useEditorContext } from '@graphiql/react'
import { useEffect, useRef } from 'react'
import { objectIn } from './json.ts'

type Presets = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Only if each client brings its own key. */
const keys: Presets = {
  'Your key': { 'x-api-key': 'YOUR-KEY' },
  'Sample league, paid': { 'x-api-key': 'sample-paid' },
  'Sample league, trial': { 'x-api-key': 'sample-trial' },
}

const others: Presets = {
  'Request id, as in the log': { 'x-request-id': 'graphiql' },
  None: {},
}

/** The headers of an editor merged with a preset; the preset alone if the editor's are not valid. */
function withPreset(text: string, preset: Presets[string] = {}): string {
  const isNone = Object.keys(preset).length === 0
  return JSON.stringify(isNone ? {} : { ...objectIn(text), ...preset }, null, 2)
}

/** Headers that this graph understands, ready to fill in. */
export function HeaderPresets({ tab, bringsKey }: { tab: string; bringsKey: boolean }) {
  const { headerEditor } = useEditorContext({ nonNull: true })
  const presets = bringsKey ? { ...keys, ...others } : others
  const last = useRef('')
  const text = headerEditor?.getValue() ?? ''
  useEffect(() => {
    if (text.trim() && objectIn(text)) last.current = text
  }, [text])
  // Every tab needs a key: a tab without headers takes those last used.
  useEffect(() => {
    if (headerEditor && !headerEditor.getValue().trim()) headerEditor.setValue(last.current)
  }, [headerEditor, tab])
  const choose = (name: string) => {
    headerEditor?.setValue(withPreset(headerEditor.getValue(), presets[name]))
    document.querySelector<HTMLElement>('[data-name="headers"]')?.click() // shows the headers
  }
  return (
    <label className="presets">
      Headers{' '}
      <select value="" onChange={({ target }) => choose(target.value)}>
        <option value="" disabled>
          choose a preset
        </option>
        {Object.keys(presets).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  )
}
