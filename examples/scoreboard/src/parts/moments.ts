const moment = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** A moment in the visitor's zone: `Feb 14, 4:56 PM`. */
export const momentOf = (at: string | number): string => moment.format(new Date(at))
