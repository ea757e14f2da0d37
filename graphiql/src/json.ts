/** The object in a JSON editor: `{}` for an empty editor, null if the text is no object. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>) // an object, by the condition above
      : null
  } catch {
    return null
  }
}
