import { describe, expect, it } from 'vitest'
import { printedSubgraph } from '../../src/schema.ts'
import { neighbours } from './neighbours.ts'
import { missing, packageOf } from './packages.ts'

const both = (neighbour: string) => {
  const { parse } = packageOf('graphql')
  return Object.entries({ statline: printedSubgraph(), neighbour }).map(([name, sdl]) => ({
    name,
    url: `http://${name}.test/graphql`,
    typeDefs: parse(sdl),
  }))
}

const namesOf = (supergraph = '') => /^type Query\b[^{]*\{(.*?)^\}/ms.exec(supergraph)?.[1] ?? ''

describe.skipIf(missing)(
  `beside a subgraph that is a Relay server too${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    describe.each(Object.entries(neighbours))('of %s', (_library, sdl) => {
      it.each(['@apollo/composition', '@theguild/federation-composition'] as const)(
        'composes by %s',
        (name) => {
          const { supergraphSdl, errors } = packageOf(name).composeServices(both(sdl))
          expect(errors?.map(({ message }) => message) ?? []).toEqual([])
          // The neighbour's, as it was.
          expect(namesOf(supergraphSdl)).toMatch(
            /^ {2}node\([^)]*\): Node!? @join__field\(graph: NEIGHBOUR\)$/m,
          )
        },
      )

      it('composes by @wundergraph/composition', () => {
        const { success, errors } = packageOf('@wundergraph/composition').federateSubgraphs({
          subgraphs: both(sdl).map(({ typeDefs, ...rest }) => ({ ...rest, definitions: typeDefs })),
        })
        expect(errors?.map(({ message }) => message) ?? []).toEqual([])
        expect(success).toBe(true)
      })
    })
  },
)
