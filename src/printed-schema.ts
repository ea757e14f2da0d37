import { printSubgraphSchema } from '@apollo/subgraph'
import { lexicographicSortSchema, printSchema } from 'graphql'
import { builder } from './graph/builder.ts'
import { schema } from './schema.ts'

/** The graph as clients see it, in SDL. */
export const printedSchema = (): string => `${printSchema(lexicographicSortSchema(builder.toSchema()))}\n`

/** The graph as a federation gateway sees it, with its keys. */
export const printedSubgraph = (): string => `${printSubgraphSchema(schema)}\n`
