import SchemaBuilder from '@pothos/core'
import RelayPlugin from '@pothos/plugin-relay'
import type { Context } from './context.ts'
import { free } from './cost.ts'
import { descriptions } from './descriptions.ts'
import { federation } from './federation.ts'
import type { Handle } from './handle.ts'
import { traits } from './traits.ts'
import { typeNameOf } from './type-names.ts'

export const builder = new SchemaBuilder<{
  Context: Context
  Scalars: {
    ID: { Input: string; Output: string }
    DateTime: { Input: string; Output: string }
    Date: { Input: string; Output: string }
    JSONObject: { Input: Record<string, unknown>; Output: Record<string, unknown> }
  }
}>({
  plugins: [descriptions, traits, federation, RelayPlugin],
  relay: {
    cursorType: 'String',
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    // Every subgraph with pagination has this type, so they share it.
    pageInfoTypeOptions: { shareable: true, cost: free },
    nodeTypeOptions: {
      description: 'An object with a global id, which identifies it in a client’s cache and in `node(id:)`.',
      // All node fields return handles.
      resolveType: (row, context) => typeNameOf(row as Handle, context),
    },
  },
})

builder.queryType({})
