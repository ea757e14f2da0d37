import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { run } from '../../suite.ts'

/** A server of a Debian release, which need not be this machine's. */
export interface DebianServer {
  readonly release: string
  /** The package, and the program in it. */
  readonly name: string
}

/**
 * Unpacks a server with the libraries of its release. Returns the path of a script that runs it, or why it
 * cannot be had.
 */
export async function unpacked({ release, name }: DebianServer): Promise<string | { missing: string }> {
  if ((await run('.', 'sh', '-c', 'command -v mmdebstrap')).code !== 0)
    return { missing: 'mmdebstrap is not there' }
  const root = mkdtempSync(join(tmpdir(), `${name}-`))
  const options = ['--quiet', '--variant=extract', `--include=${name}`]
  const { code, output } = await run(root, 'mmdebstrap', ...options, release, join(root, 'files'))
  if (code !== 0) return { missing: `mmdebstrap says ${output.trim().split('\n').at(-1)}` }
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const find = (isIt: (file: string) => boolean) => join(root, files.find(isIt) ?? `no file of ${name}`)
  const loader = find((file) => /^ld-linux.*\.so/.test(basename(file)) && !dirname(file).endsWith('64'))
  const libraries = new Set(files.filter((file) => /^lib.*\.so/.test(basename(file))).map(dirname))
  const paths = [...libraries].map((folder) => join(root, folder)).join(':')
  // Debian's Redis loads the JSON library of its scripts from a file of its own.
  const lua = find((file) => file.endsWith('lua/5.1/cjson.so')).replace('cjson.so', '?.so')
  const program = find((file) => file.endsWith(`/bin/${name}`))
  const script = join(root, 'run')
  writeFileSync(
    script,
    `#!/bin/sh\nLUA_CPATH='${lua}' exec ${loader} --library-path ${paths} ${program} "$@"\n`,
    {
      mode: 0o755,
    },
  )
  return script
}
