import SchemaBuilder, { BasePlugin } from '@pothos/core'
import type {
  FieldNullability,
  InputFieldMap,
  PothosOutputFieldConfig,
  SchemaTypes,
  TypeParam,
} from '@pothos/core'
import type { GraphQLField } from 'graphql'
import type { Value } from '../specification/columns.ts'
import type { Relation } from './many-answers.ts'
import type { Needs } from './needs.ts'

/** A column that a field shows, and how its value is converted. */
export interface ShownColumn {
  readonly name: string
  readonly convert: (value: Value) => unknown
}

/** What the executor and the planner know of a field beside its type and resolver. Set as field options. */
export class Traits {
  readonly needs: Needs
  readonly relation: Relation<unknown, unknown, unknown> | null
  readonly column: ShownColumn | null

  constructor(
    needs: Needs = {},
    relation: Relation<unknown, unknown, unknown> | null = null,
    column: ShownColumn | null = null,
  ) {
    this.needs = needs
    this.relation = relation
    this.column = column
  }
}

const extension = 'statline'
const none = new Traits()

export function traitsOf({ extensions }: GraphQLField<unknown, unknown>): Traits {
  const traits = extensions[extension]
  return traits instanceof Traits ? traits : none
}

/** Stores these options in the field's extensions, where executors and planner find them. */
class TraitsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { needs, relation, column } = field.pothosOptions
    if (!needs && !relation && !column) return field
    return { ...field, extensions: { ...field.extensions, [extension]: new Traits(needs, relation, column) } }
  }
}

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      traits: TraitsPlugin<Types>
    }

    // The type parameters have to match Pothos' own declaration.
    export interface FieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      ParentShape = unknown,
      Type extends TypeParam<Types> = TypeParam<Types>,
      Nullable extends FieldNullability<Type> = FieldNullability<Type>,
      Args extends InputFieldMap = InputFieldMap,
      ResolveShape = unknown,
      ResolveReturnShape = unknown,
    > {
      needs?: Needs
      relation?: Relation<unknown, unknown, unknown>
      column?: ShownColumn
    }
  }
}

export const traits = 'traits'

SchemaBuilder.registerPlugin(traits, TraitsPlugin)
