/** What an editor of JSON holds, nothing being an object without fields; null while it is no object. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>) // an object, as the line above says
      : null
  } catch {
    return null
  }
}
