import { readFileSync } from 'node:fs'
import type { Types } from '@graphql-codegen/plugin-helpers'
import { Kind } from 'graphql'
import type { OperationDefinitionNode } from 'graphql'

/** A hook for each operation, made by `queryHook` or `subscriptionHook` of the client's module. */
export function hooks(
  _schema: unknown,
  documents: Types.DocumentFile[],
  { module }: { module: string },
): string {
  return [
    `'use client';`,
    '',
    `import { queryHook, subscriptionHook } from '${module}';`,
    `import * as documents from './graphql.ts';`,
    '',
    ...operationsOf(documents).flatMap(({ name, kind, description }) => [
      `/** ${description} */`,
      `export const use${name} = /*#__PURE__*/ ${kind}Hook(documents.${name}Document);`,
    ]),
    '',
  ].join('\n')
}

function operationsOf(documents: Types.DocumentFile[]) {
  return documents
    .flatMap(({ document, location }) =>
      (document?.definitions ?? [])
        .filter((node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION)
        .map(({ name, operation: kind }) => ({
          name: name?.value ?? '',
          kind,
          description: commentOf(location),
        })),
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** The first comment of a file of operations. */
const commentOf = (location: string | undefined) =>
  /^# (.*)/.exec(location ? readFileSync(location, 'utf8') : '')?.[1] ?? ''
