import { builder } from '../graph/builder.ts'
import { sizeOf } from '../graph/cost.ts'
import { facet, andThen } from '../graph/facet.ts'
import { handles } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { convert } from '../graph/scalars.ts'
import { defineReference } from '../graph/reference.ts'
import { defineTable } from '../graph/table.ts'
import { call } from '../upstream/call.ts'
import { byGroup, requestsOf } from '../upstream/load.ts'
import type { Ask, Source } from '../upstream/load.ts'
import { operations } from '../upstream/operations.ts'
import type { World } from '../upstream/world.ts'

const leagues = {
  organization: { operation: operations.readOrganizations, plural: 'organizations' },
  division: { operation: operations.readDivisions, plural: 'divisions' },
} as const

type Kind = keyof typeof leagues

interface ListAsk extends Ask {
  readonly kind: Kind
  readonly inactive: 0 | 1 | null
}

const listName = ({ inactive }: { inactive: 0 | 1 | null }) => `list ${inactive}`

/** Organizations, or divisions, by whether they are inactive. */
const lists: Source<ListAsk> = {
  name: 'leagues',
  fill(world, asks) {
    const whole = new Set(asks.filter(({ inactive }) => inactive === null).map(({ kind }) => kind))
    return byGroup(
      asks,
      ({ kind, inactive }) => `${kind} ${whole.has(kind) ? null : inactive}`,
      async (group) => {
        const [{ kind, field }] = group
        const inactive = whole.has(kind) ? null : group[0].inactive
        const { keys, boughtAt } = await call(world, {
          operation: leagues[kind].operation,
          arguments: inactive === null ? {} : { inactive },
          requests: requestsOf(group),
          field,
        })
        keep(world, kind, inactive, keys, boughtAt)
      },
    )
  },
}

function keep(
  world: World,
  kind: Kind,
  inactive: ListAsk['inactive'],
  keys: readonly string[],
  boughtAt: number,
): void {
  const put = (of: ListAsk['inactive'], list: readonly string[]) =>
    world.rows.entry(kind, '').putFacet(listName({ inactive: of }), list, world.fresh.reference, boughtAt)
  put(inactive, keys)
  if (inactive !== null) return
  // Whoever has paid for all has either.
  const isInactive = (key: string) =>
    convert.flag(world.rows.entry(kind, key).column('inactive', boughtAt - 1)) === true
  put(
    0,
    keys.filter((key) => !isInactive(key)),
  )
  put(1, keys.filter(isInactive))
}

const describe = (what: string) =>
  `The ${what} that this key may see. Costs one small call, also to a trial key. \`active: false\` lists the inactive ones, null all.`

for (const [kind, type] of [
  ['organization', 'Organization'],
  ['division', 'Division'],
] as const) {
  const ref = defineTable(kind, type, {
    description:
      kind === 'organization'
        ? 'A sport, as the service organizes it.'
        : 'A division within an organization.',
    node: true,
  })
  defineReference(kind)

  builder.queryField(leagues[kind].plural, (t) =>
    t.field({
      type: [ref],
      nullable: { list: true, items: false },
      listSize: sizeOf('leagues'),
      description: describe(leagues[kind].plural),
      args: { active: t.arg.boolean({ defaultValue: true }) },
      resolve: (_root, { active }, context, info) => {
        const inactive = active === null || active === undefined ? null : active ? 0 : 1
        const { client: request } = context
        const keys = facet<ListAsk, readonly string[]>(
          request.world.rows.entry(kind, ''),
          listName({ inactive }),
          { source: lists, ask: { what: `${kind} ${inactive}`, kind, inactive }, operation: `${kind}/read` },
          context,
          info,
        )
        return andThen(keys, (found): Handle[] | null => found && handles(request, kind, found, {}))
      },
    }),
  )
}
