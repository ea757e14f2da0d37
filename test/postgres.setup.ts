import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { stopShared } from './service/shared-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of the run, where the first test that needs PostgreSQL writes down which server it has started. */
    postgresFolder: string
  }
}

/** Stops the run's PostgreSQL. Most runs of a single file start none. */
export default function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'statline-postgres-'))
  project.provide('postgresFolder', folder)
  return () => {
    stopShared(folder)
    rmSync(folder, { recursive: true })
  }
}
