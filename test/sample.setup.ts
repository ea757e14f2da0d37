import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { madeOnce } from './made-once.ts'

/** The moment at which the tests' sample league stands: one day with games over, under way and to come. */
export const sampleNow = Date.parse('2026-02-14T20:00:00.000Z')

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the sample league, made once for all tests, which only read it. */
    sampleFolder: string
    /** The same for tests that copy it. Nobody opens it, because files of an open database come and go. */
    sampleOrigin: string
  }
}

const sources = ['src/service', 'src/specification', 'test/sample.setup.ts', 'package-lock.json']

async function create(folder: string): Promise<void> {
  // Imported here, because most runs find the league that another one has made, and these modules take a second.
  const [{ sql }, { createSampleLeague }, { openDatabase }] = await Promise.all([
    import('kysely'),
    import('../src/service/sample/create.ts'),
    import('../src/service/store/database.ts'),
  ])
  const opened = join(folder, 'opened')
  const database = await openDatabase(opened)
  await createSampleLeague(database, () => sampleNow)
  for (const part of [database.db, database.accounts])
    await sql`pragma wal_checkpoint(truncate)`.execute(part)
  await database.close()
  // The logs are empty now, and a closed one is deleted later, when its statements are collected as garbage.
  cpSync(opened, join(folder, 'origin'), { recursive: true, filter: (name) => !/-(wal|shm)$/.test(name) })
}

/** No test runs without it, so its failure says what failed. */
function named(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error)
  // Vitest fails to print an error of a setup whose modules come from its cache.
  console.error(`The sample league, which the tests read, cannot be created: ${reason}`)
  throw error
}

export default async function setup(project: TestProject): Promise<void> {
  const folder = await madeOnce('sample', sources, create).catch(named)
  project.provide('sampleOrigin', join(folder, 'origin'))
  project.provide('sampleFolder', join(folder, 'opened'))
}
