import { useHeadersEditorState } from '@graphiql/react'

/** Headers that this graph understands, ready to fill in. */
const presets: Readonly<Record<string, Record<string, string>>> = {
  'Your key': { 'x-api-key': 'YOUR-KEY' },
  'Sample league, paid': { 'x-api-key': 'sample-paid' },
  'Sample league, trial': { 'x-api-key': 'sample-trial' },
  None: {},
}

export function HeaderPresets() {
  const [, setHeaders] = useHeadersEditorState()
  return (
    <label>
      Headers{' '}
      <select
        value=""
        onChange={({ target }) => setHeaders(JSON.stringify(presets[target.value] ?? {}, null, 2))}
      >
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
