import { getNamedType, isAbstractType, isLeafType, isListType, isNonNullType, isObjectType } from 'graphql'
import type {
  GraphQLArgument,
  GraphQLField,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
} from 'graphql'

/** Pseudo-random numbers from 0 to 1, the same for the same seed. */
export function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * Values for arguments and references: ids of rows that exist, ids that do not, and texts that are no ids.
 */
export interface Vocabulary {
  readonly season: number
  readonly date: string
  /** Service ids by the type of the graph that they name. */
  readonly ids: Readonly<Record<string, readonly string[]>>
}

export interface GeneratedDocument {
  readonly text: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** Maximum levels of selections. Lists within lists multiply the cost of another level. */
const mostDepth = 5

/**
 * Generates valid documents with fragments, aliases, merged fields, conditions, interfaces and references.
 */
export class DocumentGenerator {
  readonly #schema: GraphQLSchema
  readonly #words: Vocabulary
  readonly #random: () => number
  #fragments: string[] = []
  #definitions: string[] = []
  #variables: Record<string, unknown> = {}

  constructor(schema: GraphQLSchema, words: Vocabulary, seed: number) {
    this.#schema = schema
    this.#words = words
    this.#random = numbersFrom(seed)
  }

  next(): GeneratedDocument {
    this.#fragments = []
    this.#definitions = []
    this.#variables = {}
    const query = this.#schema.getQueryType() as GraphQLObjectType // every schema has one
    const roots = Array.from({ length: this.#chance(0.3) ? 2 : 1 }, () => this.#root(query))
    const head =
      this.#definitions.length > 0 ? `query Generated(${this.#definitions.join(', ')})` : 'query Generated'
    return {
      text: `${head} { ${roots.join(' ')} }\n${this.#fragments.join('\n')}`,
      variables: this.#variables,
    }
  }

  /** Most pages begin at a league, so most documents do. */
  #root(query: GraphQLObjectType): string {
    const fields = query.getFields()
    const name = this.#chance(0.5)
      ? 'league'
      : this.#pick(Object.keys(fields).filter((one) => one !== '_service' && one !== 'usage'))
    const field = fields[name]
    if (!field) throw new Error(`The graph has no root ${name}.`)
    return this.#field(field, query, 0, `r${this.#variableCount()}${Math.floor(this.#random() * 1e6)}`)
  }

  #selection(type: GraphQLNamedType, depth: number): string {
    if (isAbstractType(type)) return this.#abstract(type.name, depth)
    if (!isObjectType(type)) return ''
    return `{ ${this.#fieldsOf(type, depth)} }`
  }

  #abstract(name: string, depth: number): string {
    const type = this.#schema.getType(name)
    if (!isAbstractType(type)) return ''
    const possible = this.#schema.getPossibleTypes(type)
    const parts = possible
      .filter(() => this.#chance(possible.length > 4 ? 0.3 : 0.7))
      .map((one) => `... on ${one.name} { ${this.#fieldsOf(one, depth)} }`)
    return `{ __typename ${parts.join(' ')} }`
  }

  #fieldsOf(type: GraphQLObjectType, depth: number): string {
    const all = Object.values(type.getFields())
    const leaves = all.filter((field) => isLeafType(getNamedType(field.type)))
    const links = all.filter((field) => !isLeafType(getNamedType(field.type)))
    const chosen = [
      ...this.#some(leaves, Math.min(leaves.length, 1 + Math.floor(this.#random() * 5))),
      ...(depth < mostDepth ? this.#some(links, Math.floor(this.#random() * 3)) : []),
    ]
    const used = new Set<string>()
    const fields = chosen.map((field) => {
      // Two selections of one field with other arguments may not share a name.
      const alias =
        this.#chance(0.2) || used.has(field.name) || field.args.length > 0 ? this.#alias() : undefined
      used.add(field.name)
      return this.#wrapped(this.#field(field, type, depth, alias), type)
    })
    if (fields.length === 0 || this.#chance(0.15)) fields.push('__typename')
    return fields.join(' ')
  }

  /** A field as it is, under a condition, in an inline fragment, in a named one, or twice. */
  #wrapped(text: string, type: GraphQLObjectType): string {
    const how = this.#random()
    if (how < 0.08) return `... @${this.#pick(['skip', 'include'])}(if: ${this.#condition()}) { ${text} }`
    if (how < 0.14) return `... on ${type.name} { ${text} }`
    if (how < 0.2) return `${text} ... { ${text} }`
    if (how < 0.28) {
      const name = `F${this.#fragments.length}`
      this.#fragments.push(`fragment ${name} on ${type.name} { ${text} }`)
      return `...${name}${this.#chance(0.2) ? ` ...${name}` : ''}`
    }
    return text
  }

  #field(
    field: GraphQLField<unknown, unknown>,
    parent: GraphQLObjectType,
    depth: number,
    alias?: string,
  ): string {
    const given = field.args.flatMap((argument) => {
      const value = this.#value(argument, field, parent)
      return value === null ? [] : [`${argument.name}: ${value}`]
    })
    const directive = this.#chance(0.06)
      ? ` @${this.#pick(['skip', 'include'])}(if: ${this.#condition()})`
      : ''
    const name = alias === undefined ? field.name : `${alias}: ${field.name}`
    const values = given.length > 0 ? `(${given.join(', ')})` : ''
    return `${name}${values}${directive} ${this.#selection(getNamedType(field.type), depth + 1)}`
  }

  #condition(): string {
    return this.#chance(0.5) ? String(this.#chance(0.5)) : this.#variable('Boolean!', this.#chance(0.5))
  }

  #variable(type: string, value: unknown): string {
    const name = `v${this.#variableCount()}`
    this.#definitions.push(`$${name}: ${type}`)
    this.#variables[name] = value
    return `$${name}`
  }

  #variableCount = () => this.#definitions.length

  #alias = () => `a${Math.floor(this.#random() * 1e9)}`

  /** An argument's value as text; null if it is left out. */
  #value(
    argument: GraphQLArgument,
    field: GraphQLField<unknown, unknown>,
    parent: GraphQLObjectType,
  ): string | null {
    const isRequired = isNonNullType(argument.type)
    if (!isRequired && this.#chance(argument.name === 'season' ? 0.4 : 0.7)) return null
    const value = this.#plain(argument, field, parent)
    if (value === null) return null
    const type = String(argument.type)
    if (this.#chance(0.2) && argument.name !== 'representations') return this.#variable(type, value)
    return literal(value, isEnumLike(argument))
  }

  #plain(
    argument: GraphQLArgument,
    field: GraphQLField<unknown, unknown>,
    parent: GraphQLObjectType,
  ): unknown {
    switch (argument.name) {
      case 'date':
        return this.#words.date
      case 'season':
        return this.#words.season
      case 'name':
        return this.#pick(['points', 'total_rebounds', 'no_such_column', 'a'])
      case 'names':
        return ['points', 'totalRebounds', 'nothing']
      case 'orderBy':
        return this.#pick(['points', 'wins', 'no such'])
      case 'first':
        return this.#pick([1, 3, -1])
      case 'active':
      case 'current':
        return this.#chance(0.5)
      case 'representations':
        return this.#representations()
      case 'ids':
        return Array.from({ length: 1 + Math.floor(this.#random() * 4) }, () => this.#idFor(field, parent))
      case 'id':
        return this.#idFor(field, parent)
    }
    const type = getNamedType(argument.type)
    if ('getValues' in type) {
      const value = this.#pick(type.getValues()).name
      return isListType(argument.type) ? [value] : value
    }
    return null // an organization, a division or a cursor, which the scope or the start stands for
  }

  #idFor(field: GraphQLField<unknown, unknown>, { name }: GraphQLObjectType): string {
    const returned = getNamedType(field.type).name
    const type = returned === 'Node' ? this.#pick(Object.keys(this.#words.ids)) : returned
    const raw = this.#anyId(type)
    const isGlobal = returned === 'Node' || (name === 'Query' && this.#chance(0.3))
    return isGlobal ? Buffer.from(`${type}:${raw}`).toString('base64') : raw
  }

  #anyId(type: string): string {
    const known = this.#words.ids[type] ?? []
    if (known.length === 0 || this.#chance(0.08)) return '00000000-0000-4000-8000-000000000000'
    return this.#chance(0.04) ? 'no id' : this.#pick(known)
  }

  #representations(): unknown {
    const some = this.#some(['Team', 'Game', 'Player', 'Conference'], 2)
    return some.map((type) => ({ __typename: type, [`${type.toLowerCase()}Id`]: this.#anyId(type) }))
  }

  #chance = (share: number) => this.#random() < share

  #pick<T>(list: readonly T[]): T {
    const found = list[Math.floor(this.#random() * list.length)]
    if (found === undefined) throw new Error('There is nothing to pick from.')
    return found
  }

  #some<T>(list: readonly T[], count: number): T[] {
    const left = [...list]
    return Array.from({ length: Math.min(count, left.length) }, () => {
      const [one] = left.splice(Math.floor(this.#random() * left.length), 1)
      return one as T // as many as there are
    })
  }
}

const isEnumLike = (argument: GraphQLArgument) => 'getValues' in getNamedType(argument.type)

function literal(value: unknown, isEnum: boolean): string {
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, isEnum)).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, one]) => `${name}: ${literal(one, false)}`)
      .join(', ')}}`
  return isEnum ? String(value) : JSON.stringify(value)
}
