import { Loader } from '../loading/loader.ts'
import { byWhat, requestsOf } from '../loading/ask-groups.ts'
import type { Wanted } from '../loading/ask.ts'
import { convert } from '../graph/conversions.ts'
import type { Known } from '../graph/scope.ts'
import type { Freshness } from '../rows/freshness.ts'
import { bytesPerByte } from '../rows/put.ts'
import { slots } from '../rows/slot.ts'
import { call } from '../calls/call.ts'
import { Entry, isRow } from '../rows/entry.ts'
import type { Brought, Fill } from '../account/fill.ts'
import type { RowCache } from '../rows/row-cache.ts'
import type { Arguments } from '../specification/operation.ts'
import { noteSimulations } from '../account/simulations.ts'
import { suppliedBy } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import { numberOf } from '../rows/values.ts'
import type { RawRow } from '../specification/raw-row.ts'

/** A conference's projected table. */
export interface Projection {
  readonly hasAccess: boolean
  /** Stored apart: they have the ids of the teams' current rows but other numbers. */
  readonly standings: readonly Entry[]
}

interface ProjectionWanted extends Wanted {
  readonly conference: Entry
  readonly scope: Known<'organization_id' | 'season'>
}

const projectionSlot = slots<Projection, Known<'organization_id' | 'season'>>({
  name: 'projection',
  keyOf: ({ organization_id, season }) => `${organization_id} ${season}`,
  freshness: ({ fresh }, { organization_id, season }) => fresh.ofSeason(organization_id, season),
  bytesOf: ({ standings }) => standings.reduce((sum, { size }) => sum + size, 0),
})

/** Loads projections: one call for each conference, season and league. */
export const projections = new Loader<ProjectionWanted, Projection>('projections', (account, asks) =>
  byWhat(asks, (group) => {
    const [{ wanted, field }] = group
    const { organization_id, season } = wanted.scope
    return call(account, {
      operation: operations.getConferencePrediction,
      arguments: { organization_id, conference_id: wanted.conference.key, season },
      requests: requestsOf(group),
      field,
    })
  }),
)

const slotOf = ({ organization_id, season }: Arguments) =>
  projectionSlot({ organization_id: String(organization_id), season: Number(season) })

const conferenceIn = ({ rows }: RowCache, { conference_id }: Arguments) =>
  rows.entry('conference', String(conference_id))

export const projectionBrought = (account: RowCache, values: Arguments): readonly Brought[] => [
  [conferenceIn(account, values), slotOf(values)],
]

export const projectionFill: Fill = (account, { arguments: values, body, boughtAt, bytes }) => {
  const projection = projectionIn(body, account.fresh.likeOwner, boughtAt, bytes)
  slotOf(values).put(account, conferenceIn(account, values), projection, boughtAt)
  if (projection.standings.length > 0) noteSimulations(account, projection.hasAccess, boughtAt)
}

/** Where a conference's projection is stored. */
export function projectionAt(conference: Entry, scope: Known<'organization_id' | 'season'>) {
  const slot = projectionSlot(scope)
  return {
    owner: conference,
    slot,
    wanted: { what: `${conference.key} ${slot.name}`, conference, scope },
    scope,
  }
}

function projectionIn(body: RawRow, freshness: Freshness, boughtAt: number, bytes: number): Projection {
  const rows = Object.entries(body).filter((pair): pair is [string, RawRow] => isRow(pair[1]))
  const there = rows.filter(([, row]) => convert.flag(row['deleted']) !== true)
  const rowBytes = Math.ceil((bytesPerByte * bytes) / Math.max(1, rows.length))
  const standings = there.map(([key, row]) => {
    const entry = new Entry(key)
    entry.put(row, suppliedBy(operations.getConferencePrediction), freshness, boughtAt, rowBytes)
    return { entry, wins: numberOf(row['confwins']) || 0, all: numberOf(row['wins']) || 0 }
  })
  return {
    hasAccess: rows.length > 0 && rows.every(([, row]) => convert.flag(row['hasAccess']) === true),
    standings: standings.toSorted((a, b) => b.wins - a.wins || b.all - a.all).map(({ entry }) => entry),
  }
}
