import { builder } from '../graph/builder.ts'
import { sizeOf } from '../graph/cost.ts'
import { handles } from '../graph/handle.ts'
import { defineReference } from '../graph/reference.ts'
import { relation } from '../graph/relation.ts'
import { defineTable } from '../graph/table.ts'
import { leagueListAt, leagueListOrigin } from '../loaders/organizations.ts'

const describe = (what: string) =>
  `The ${what} that this key may see, by default the active ones. Costs one small call, also with a trial key.`

for (const [part, type, plural] of [
  ['organization', 'Organization', 'organizations'],
  ['division', 'Division', 'divisions'],
] as const) {
  const ref = defineTable(part, type, {
    description:
      part === 'organization'
        ? 'An organization: a sport as one body plays it, such as college basketball. With one of its divisions it makes a `League`.'
        : 'A division of an organization, such as Division I. The two make a `League`, and with it the scope that most fields need.',
    node: true,
  })
  defineReference(part)

  builder.queryField(plural, (t) =>
    t.field({
      type: [ref],
      nullable: { list: true, items: false },
      listSize: sizeOf('leagues'),
      description: describe(plural),
      args: { active: t.arg.boolean({ defaultValue: true }) },
      ...relation({
        needs: {},
        ...leagueListOrigin(part),
        place: (
          _root: unknown,
          { active }: { readonly active?: boolean | null | undefined },
          { clientRequest: request },
        ) => leagueListAt(part, active == null ? null : active ? 0 : 1, request.account),
        answer: (keys, { scope }, { clientRequest: request }) => keys && handles(request, part, keys, scope),
      }),
    }),
  )
}
