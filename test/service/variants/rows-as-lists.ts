import { changed } from './variant.ts'
import type { Json } from '../client.ts'

const listed = (row: unknown): unknown => {
  const { teams, ...rest } = row as Json // a row of the service
  return teams ? { ...rest, teams: Object.values(teams) } : row
}

/** Rows are a list, and so are the teams in a game. */
export const rowsAsLists = changed('rows as lists', ['rows', 'nothing found'], (body, { answer, yields }) => {
  if (Object.keys(body).length === 0) return []
  if (yields === 'search' || answer === 'row') return body
  return Object.values(body).map(listed)
})
