import { isObjectType } from 'graphql'
import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql'
import type { Json } from '../json.ts'
import { keyIn } from '../json.ts'
import { naiveSchema } from '../naive/schema.ts'
import { thing } from '../naive/thing.ts'
import type { Layer, Thing } from '../naive/thing.ts'

/**
 * The layer with a resolver for each field and a DataLoader for each class, but for its odds, which a careful
 * hand has taken from the day’s scores as Statline does: what it reads beyond the same two answers is the
 * teams, by their keys.
 */
export function frugalSchema(printed: string): GraphQLSchema {
  const schema = naiveSchema(printed)
  const odds = schema.getType('GameOdds')
  if (!isObjectType(odds)) throw new Error('The graph has no GameOdds.')
  for (const name of ['pre', 'live']) {
    const field = odds.getFields()[name]
    if (field) field.resolve = lineOf(name)
  }
  return schema
}

const lineOf =
  (name: string): GraphQLFieldResolver<Thing, Layer> =>
  async ({ key, row, place }, _given, { asking }) => {
    const start_date = keyIn(row, 'start_date').slice(0, 10)
    const { organization_id, division_id } = place
    const scores = await asking.once('game/getScores', { organization_id, division_id, start_date })
    const { odds } = scores[key] as { odds: Record<string, Json | null> } // keyed by game: a score entry
    const line = odds[name]
    return line ? thing('odds', line, place) : null
  }
