import { changed, eachValue } from './variant.ts'

const flags = new Set([
  'deleted',
  'current',
  'live',
  'final',
  'boxscore',
  'neutral_site',
  'is_conf_game',
  'committed',
  'inactive',
  'career',
  'career_active',
])

/** Flags are true and false. */
export const flagsAsBooleans = changed('flags as booleans', ['numbers'], (body) =>
  eachValue(body, (name, value) => (flags.has(name) && typeof value === 'number' ? value === 1 : value)),
)
