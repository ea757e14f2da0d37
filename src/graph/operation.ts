import type { Attributes } from '@opentelemetry/api'
import type { OperationDefinitionNode } from 'graphql'

/** What a span says of the operation that it belongs to, in OpenTelemetry's words. */
export const attributesOf = ({ operation, name }: OperationDefinitionNode): Attributes => ({
  'graphql.operation.type': operation,
  ...(name && { 'graphql.operation.name': name.value }),
})
