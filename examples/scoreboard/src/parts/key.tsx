import { useId } from 'react'

const item = 'statline-key'

/** The reader’s key, for a graph where each client brings its own. It is forgotten with the tab. */
export const key = {
  headers(): Record<string, string> {
    const known = sessionStorage.getItem(item)
    return known ? { 'x-api-key': known } : {}
  },
}

export function KeyForm({ onKey }: { onKey: () => void }) {
  const id = useId()
  const keep = (form: FormData) => {
    sessionStorage.setItem(item, String(form.get('key') ?? '').trim())
    onKey()
  }
  return (
    <form
      className="days"
      onSubmit={(event) => {
        event.preventDefault()
        keep(new FormData(event.currentTarget))
      }}
    >
      <label htmlFor={id}>Your key</label>
      <input id={id} name="key" type="password" autoComplete="off" required />
      <button type="submit">Use it</button>
    </form>
  )
}
