import { readFileSync } from 'node:fs'
import type { Types } from '@graphql-codegen/plugin-helpers'
import { Kind } from 'graphql'
import type { OperationDefinitionNode } from 'graphql'

/**
 * The hooks of each kind of operation, by the prefix of their names: the functions of the module that make
 * them.
 */
export interface Makers {
  readonly module: string
  readonly query: Readonly<Record<string, string>>
  readonly subscription: Readonly<Record<string, string>>
}

/** Hooks for each operation. */
export function hooks(_schema: unknown, documents: Types.DocumentFile[], makers: Makers): string {
  const made = operationsOf(documents).flatMap(({ name, kind, description }) =>
    Object.entries(kind === 'subscription' ? makers.subscription : makers.query).flatMap(([use, maker]) => [
      `/** ${description}${use === 'useSuspense' ? ' Suspends until it is there.' : ''} */`,
      `export const ${use}${name} = /*#__PURE__*/ ${maker}(documents.${name}Document);`,
    ]),
  )
  const used = [...Object.values(makers.query), ...Object.values(makers.subscription)]
  return [
    `'use client';`,
    '',
    `import { ${used.join(', ')} } from '${makers.module}';`,
    `import * as documents from './graphql.ts';`,
    '',
    ...made,
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
