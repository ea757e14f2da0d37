import { expect, test } from 'vitest'
import { storedTables } from '../../src/service/store/tables.ts'
import type { Tables } from '../../src/service/store/tables.ts'

test('a table of the specification or of the service without a record does not compile', () => {
  const { coach, ...withoutCoach } = storedTables
  const { membership, ...withoutMembership } = storedTables
  // @ts-expect-error: coach has no record
  const specified: Tables = withoutCoach
  // @ts-expect-error: membership has no record
  const own: Tables = withoutMembership
  expect([specified, own, coach, membership]).toHaveLength(4)
})

test('a record without a part does not compile', () => {
  const { game } = storedTables
  const { facts, collision, cleared, order } = game
  // @ts-expect-error: it says nothing of a row whose key is stored already
  const colliding: Tables['game'] = { facts, cleared, order }
  // @ts-expect-error: it does not say when its rows go
  const kept: Tables['game'] = { facts, collision, order }
  // @ts-expect-error: it does not say where its rows come from
  const empty: Tables['game'] = { collision, cleared, order }
  // @ts-expect-error: it has no order
  const unordered: Tables['game'] = { facts, collision, cleared }
  expect([colliding, kept, empty, unordered]).toHaveLength(4)
})

test('a record that refuses rows which stay when their league is published again does not compile', () => {
  const { team, organization } = storedTables
  // @ts-expect-error: the row is still stored
  const again: Tables['organization'] = { ...organization, collision: 'refuse' }
  // @ts-expect-error: another season may still use it
  const used: Tables['team'] = { ...team, collision: 'refuse' }
  expect([again, used]).toHaveLength(2)
})

test('a record that does not fit its table does not compile', () => {
  const { organization, player, coach_season } = storedTables
  // @ts-expect-error: an organization has no season
  const seasonal: Tables['organization'] = { ...organization, cleared: 'season' }
  // @ts-expect-error: these facts are of teams
  const confused: Tables['player'] = { ...player, facts: 'teams' }
  // @ts-expect-error: a player has no such column
  const nameless: Tables['player'] = { ...player, names: ['alt_name'] }
  // @ts-expect-error: a column has no type
  const partial: Tables['coach_season'] = { ...coach_season, columns: { coach_id: 'text', team_id: 'text' } }
  expect([seasonal, confused, nameless, partial]).toHaveLength(4)
})
