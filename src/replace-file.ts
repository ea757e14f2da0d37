import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Replaces a file atomically, and creates its folder. Throws an error of the file system, after which the file
 * has its earlier content and nothing else is left, also if the disk is full.
 */
export function replaceFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const next = `${file}.${process.pid}.next`
  try {
    writeFileSync(next, text)
    renameSync(next, file)
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  }
}
