import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { createSampleLeague } from '../src/service/sample/create.ts'
import { openDatabase } from '../src/service/store/database.ts'

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

export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'statline-sample-'))
  const [opened, origin] = [join(folder, 'opened'), join(folder, 'origin')]
  const database = await openDatabase(opened)
  await createSampleLeague(database, () => sampleNow)
  for (const part of [database.db, database.accounts])
    await sql`pragma wal_checkpoint(truncate)`.execute(part)
  await database.close()
  // The logs are empty now, and a closed one is deleted later, when its statements are collected as garbage.
  cpSync(opened, origin, { recursive: true, filter: (name) => !/-(wal|shm)$/.test(name) })
  project.provide('sampleOrigin', origin)
  project.provide('sampleFolder', opened)
  return () => rmSync(folder, { recursive: true, force: true })
}
