/** The day in the page’s address, `?date=2026-02-14`; else today. */
export const date = new URLSearchParams(location.search).get('date') ?? new Date().toISOString().slice(0, 10)
