import type { Database } from './database.ts'

/** The content of a database: the sample league, imported seasons, or nothing yet. */
export type Source = 'sample' | 'imported' | 'empty'

export async function sourceOf({ reader }: Database): Promise<Source> {
  const league = await reader.selectFrom('league').select('source').executeTakeFirst()
  if (!league) return 'empty'
  return league.source === 'sample' ? 'sample' : 'imported'
}
