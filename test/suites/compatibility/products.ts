import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import type { GraphQLSchema } from 'graphql'

interface Product {
  readonly id: string
  readonly sku: string
  readonly package: string
  readonly variation: string
  readonly studies: readonly string[]
}

/** The data that the suite asks for: its two products, one withdrawn, and who made them. */
const products: readonly Product[] = [
  {
    id: 'apollo-federation',
    sku: 'federation',
    package: '@apollo/federation',
    variation: 'OSS',
    studies: ['1234'],
  },
  { id: 'apollo-studio', sku: 'studio', package: '', variation: 'platform', studies: ['1235'] },
]

const studies: Readonly<Record<string, string>> = { '1234': 'Federation Study', '1235': 'Studio Study' }

const maker = {
  email: 'support@apollographql.com',
  name: 'Jane Smith',
  totalProductsCreated: 1337,
  yearsOfEmployment: 10,
}

const deprecated = {
  sku: 'apollo-federation-v1',
  package: '@apollo/federation-v1',
  reason: 'Migrate to Federation V2',
  createdBy: maker,
}

const research = (caseNumber: string) =>
  caseNumber in studies ? { study: { caseNumber, description: studies[caseNumber] }, outcome: null } : null

const shown = ({ variation, studies: cases, ...product }: Product) => ({
  ...product,
  variation: { id: variation },
  dimensions: { size: 'small', weight: 1, unit: 'kg' },
  research: cases.map(research),
  createdBy: maker,
})

type Reference = Partial<Omit<Product, 'variation'>> & { readonly variation?: { readonly id: string } }

/** A product by any of its three keys. */
function productOf({ id, sku, package: name, variation }: Reference) {
  const found = products.find((one) =>
    id === undefined
      ? one.sku === sku && (variation ? one.variation === variation.id : one.package === name)
      : one.id === id,
  )
  return found ? shown(found) : null
}

const isDeprecated = (one: { readonly sku: string; readonly package: string }) =>
  one.sku === deprecated.sku && one.package === deprecated.package

interface Employment {
  readonly totalProductsCreated: number
  readonly yearsOfEmployment: number
}

const resolvers = {
  Query: {
    product: (_root: unknown, { id }: { id: string }) => productOf({ id }),
    deprecatedProduct: (_root: unknown, key: { sku: string; package: string }) =>
      isDeprecated(key) ? deprecated : null,
  },
  Product: { __resolveReference: productOf },
  DeprecatedProduct: {
    __resolveReference: (key: { sku: string; package: string }) => (isDeprecated(key) ? deprecated : null),
  },
  ProductResearch: {
    __resolveReference: ({ study }: { study: { caseNumber: string } }) => research(study.caseNumber),
  },
  User: {
    // Fields that a gateway sends with a reference, for @requires, win over the data here.
    __resolveReference: (reference: { email: string }) =>
      reference.email === maker.email ? { ...maker, ...reference } : null,
    averageProductsCreatedPerYear: ({ totalProductsCreated, yearsOfEmployment }: Employment) =>
      Math.round(totalProductsCreated / yearsOfEmployment),
  },
  Inventory: {
    __resolveReference: (reference: { id: string }) => reference,
    deprecatedProducts: () => [deprecated],
  },
}

/** The products subgraph that Apollo's compatibility suite describes, over its reference SDL. */
export const productsSchema = (sdl: string): GraphQLSchema =>
  buildSubgraphSchema({ typeDefs: parse(sdl), resolvers })
