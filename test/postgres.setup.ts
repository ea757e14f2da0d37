import type { TestProject } from 'vitest/node'
import { startPostgres } from './service/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL in which tests may create databases; null if there is none. */
    postgres: string | null
  }
}

export default function setup(project: TestProject) {
  const given = process.env['TEST_DATABASE_URL']
  const started = given === undefined ? startPostgres() : null
  project.provide('postgres', given ?? started?.url ?? null)
  return () => started?.stop()
}
