import { changed, eachValue } from './variant.ts'

/** Timestamps end with their seconds. */
export const datesWithoutZone = changed('dates without zone', ['timestamps'], (body) =>
  eachValue(body, (_, value) =>
    typeof value === 'string' ? value.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.000Z$/, '$1 $2') : value,
  ),
)
