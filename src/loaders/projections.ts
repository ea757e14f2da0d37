import { convert } from '../graph/scalars.ts'
import type { Scope } from '../graph/scope.ts'
import type { Freshness } from '../rows/freshness.ts'
import { call } from '../upstream/call.ts'
import { byGroup, requestsOf } from '../upstream/load.ts'
import type { Ask, Source } from '../upstream/load.ts'
import { operations, suppliedBy } from '../upstream/operations.ts'
import { Entry, isRow } from '../upstream/entry.ts'
import type { RawRow } from '../upstream/entry.ts'

/** A conference's projected table. */
export interface Projection {
  readonly hasAccess: boolean
  /** Rows of their own: they have the ids of the teams' current rows, but other numbers. */
  readonly standings: readonly Entry[]
}

export interface ProjectionAsk extends Ask {
  readonly entry: Entry
  readonly facet: string
  readonly scope: Scope & { readonly organization_id: string; readonly season: number }
}

/** The source of projections: one call for each conference, season and league. */
export const projections: Source<ProjectionAsk> = {
  name: 'projections',
  fill: (world, asks) =>
    byGroup(
      asks,
      ({ what }) => what,
      async (group) => {
        const [{ entry, facet, scope, field }] = group
        const { organization_id, season } = scope
        const { body, boughtAt } = await call(world, {
          operation: operations.getConferencePrediction,
          arguments: { organization_id, conference_id: entry.key, season },
          requests: requestsOf(group),
          field,
        })
        const projection = projectionIn(body, world.fresh.likeOwner, boughtAt)
        entry.putFacet(facet, projection, world.fresh.ofSeason(organization_id, season), boughtAt)
      },
    ),
}

function projectionIn(body: RawRow, freshness: Freshness, boughtAt: number): Projection {
  const rows = Object.entries(body).filter((pair): pair is [string, RawRow] => isRow(pair[1]))
  const there = rows.filter(([, row]) => convert.flag(row['deleted']) !== true)
  const standings = there.map(([key, row]) => {
    const entry = new Entry(key)
    entry.put(row, suppliedBy(operations.getConferencePrediction), freshness, boughtAt)
    return { entry, wins: Number(row['confwins']) || 0, all: Number(row['wins']) || 0 }
  })
  return {
    hasAccess: rows.length > 0 && rows.every(([, row]) => convert.flag(row['hasAccess']) === true),
    standings: standings.toSorted((a, b) => b.wins - a.wins || b.all - a.all).map(({ entry }) => entry),
  }
}
