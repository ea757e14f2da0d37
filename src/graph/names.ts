/** A column's field: its name in camelCase, `home_score` as `homeScore`. */
export const camelCase = (name: string) =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** A foreign key's column without its ending: `home_team_id` as `home_team`. */
export const linkOf = (column: string) => column.replace(/_id$/, '')

/** Both spellings of a column's name, made one. */
export const plain = (name: string) => name.replaceAll('_', '').toLowerCase()
