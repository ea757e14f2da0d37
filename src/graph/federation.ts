import SchemaBuilder, { BasePlugin } from '@pothos/core'
import type {
  FieldNullability,
  InputFieldMap,
  PothosOutputFieldConfig,
  PothosTypeConfig,
  SchemaTypes,
  TypeParam,
} from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
import type { ListedErrors } from '../errors/listed-errors.ts'
import type { Context } from './context.ts'
import type { Handle } from './handle.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'

/** How other subgraphs refer to objects of a type. */
export interface Reference {
  /** The field that identifies an object. */
  readonly key: string
  /** Null if there is no such object. An error of the list if the representation has no valid key. */
  readonly resolve: (
    representation: Readonly<Record<string, unknown>>,
    context: Context,
    info: GraphQLResolveInfo,
    errors: ListedErrors,
  ) => MaybePromise<Handle | null>
}

/** By the name of the type. Types are entities if they are here. */
const references = new Map<string, Reference>()

export function setReference(type: string, reference: Reference): void {
  references.set(type, reference)
}

export const referenceOf = (type: string): Reference | undefined => references.get(type)
export const entityNames = (): readonly string[] => [...references.keys()]

/** Options that are directives of Apollo Federation. */
interface FederationOptions {
  cost?: number
  listSize?: {
    assumedSize?: number
    slicingArguments?: string[]
    sizedFields?: string[]
    requireOneSlicingArgument?: boolean
  }
  /** Other subgraphs may have it too. */
  shareable?: boolean
}

/** The directives that the printed subgraph may use. */
export const directiveNames = ['cost', 'key', 'listSize', 'shareable'] as const

type Directives = Partial<Record<(typeof directiveNames)[number], object>>

const directivesOf = ({ cost, listSize, shareable }: FederationOptions): Directives => ({
  ...(cost !== undefined && { cost: { weight: cost } }),
  ...(listSize && { listSize }),
  ...(shareable && { shareable: {} }),
})

/** Whether a field is the id or a column of an entity, which other subgraphs key on and provide. */
const isOfRow = (type: string, field: string, options: object): boolean =>
  references.has(type) && (field === 'id' || 'column' in options)

/** Stores the directives of types and fields in their extensions, from where they are printed. */
class FederationPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onTypeConfig(type: PothosTypeConfig): PothosTypeConfig {
    const reference = references.get(type.name)
    const directives: Directives = {
      ...(reference && { key: { fields: reference.key } }),
      ...directivesOf(type.pothosOptions as FederationOptions), // declared below
    }
    return { ...type, extensions: { ...type.extensions, directives } }
  }

  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const shareable = isOfRow(field.parentType, field.name, field.pothosOptions)
    const directives = directivesOf({ ...(shareable && { shareable }), ...field.pothosOptions })
    return { ...field, extensions: { ...field.extensions, directives } }
  }
}

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      federation: FederationPlugin<Types>
    }

    // The type parameters have to match Pothos' own declarations.
    export interface BaseTypeOptions<Types extends SchemaTypes = SchemaTypes> extends FederationOptions {}
    export interface FieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      ParentShape = unknown,
      Type extends TypeParam<Types> = TypeParam<Types>,
      Nullable extends FieldNullability<Type> = FieldNullability<Type>,
      Args extends InputFieldMap = InputFieldMap,
      ResolveShape = unknown,
      ResolveReturnShape = unknown,
    > extends FederationOptions {}
  }
}

export const federation = 'federation'

SchemaBuilder.registerPlugin(federation, FederationPlugin)
