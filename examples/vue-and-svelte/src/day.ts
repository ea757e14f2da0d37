/** The day in the page’s address, `?date=2026-02-14`; else none, which is today. */
export const date = new URLSearchParams(location.search).get('date')
