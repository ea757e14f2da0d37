#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

// In a fresh checkout the program is not built yet.
const program = new URL('../dist/statline.js', import.meta.url)
if (!existsSync(program)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)))
  spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 2, 2] })
}
await import(program.href)
