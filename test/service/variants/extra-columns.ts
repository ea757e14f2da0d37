import { changed } from './variant.ts'
import type { Json } from '../client.ts'

const grown = (row: unknown): unknown => {
  const { clock_last_updated_at: _, ...rest } = row as Json // a row of the service
  return 'home_team_id' in rest ? { ...rest, weather: { sky: 'clear' }, start_timestamp: { seats: 5 } } : row
}

/** Games have a column more, a column less, and one of another type. */
export const extraColumns = changed('extra columns', [], (body, { answer, yields }) =>
  yields !== 'game'
    ? body
    : answer === 'row'
      ? grown(body)
      : Object.fromEntries(Object.entries(body).map(([key, row]) => [key, grown(row)])),
)
