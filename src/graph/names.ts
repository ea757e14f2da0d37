/** The field of a column: its name in camelCase, `homeScore` for `home_score`. */
export const camelCase = (name: string) =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** A foreign key's name without its ending: `home_team` for `home_team_id`. */
export const linkOf = (column: string) => column.replace(/_id$/, '')

/** A name without case and underscores, so that both spellings of a column are equal. */
export const plain = (name: string) => name.replaceAll('_', '').toLowerCase()
