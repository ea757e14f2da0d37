import type { Attributes } from '@opentelemetry/api'
import type { OperationDefinitionNode } from 'graphql'

/** The attributes of an operation's span, by OpenTelemetry's semantic conventions. */
export const attributesOf = ({ operation, name }: OperationDefinitionNode): Attributes => ({
  'graphql.operation.type': operation,
  ...(name && { 'graphql.operation.name': name.value }),
})
