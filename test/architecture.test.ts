import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', 'src')

interface File {
  /** Beneath `src/`, as `schema.ts`. */
  readonly name: string
  readonly text: string
  /** What it imports: files beneath `src/`, and packages by their names. */
  readonly imports: readonly string[]
}

const statement = /\b(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g

function importsOf(name: string, text: string): string[] {
  return [...text.matchAll(statement)].map(([, from, bare]) => {
    const module = from ?? bare ?? ''
    return module.startsWith('.') ? relative(root, join(root, dirname(name), module)) : module
  })
}

const files: readonly File[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('client/dist/'))
  .map((name) => {
    const text = readFileSync(join(root, name), 'utf8')
    return { name, text, imports: importsOf(name, text) }
  })

/** The room that a file stands in. */
const roomOf = (name: string): string => (name.includes('/') ? (name.split('/')[0] ?? '') : name)

/** Which rooms each room may look into, itself apart. */
const doors: Readonly<Record<string, readonly string[]>> = {
  'main.ts': ['start'],
  start: [
    'account',
    'calls',
    'capabilities',
    'config.ts',
    'loaders',
    'money',
    'rows',
    'server',
    'service',
    'sqlite-file.ts',
    'store',
    'wire',
  ],
  'statline.ts': [
    'account',
    'capabilities',
    'commands',
    'config.ts',
    'errors',
    'money',
    'start',
    'store',
    'wire',
  ],
  commands: [
    'account',
    'calls',
    'capabilities',
    'errors',
    'graph',
    'money',
    'schema.ts',
    'server',
    'specification',
    'wire',
  ],
  'config.ts': ['misspelled.ts', 'proxy-variables.ts', 'money', 'rows'],
  'misspelled.ts': ['nearest-name.ts'],
  'nearest-name.ts': [],
  server: [
    'account',
    'calls',
    'capabilities',
    'errors',
    'graph',
    'live',
    'loaders',
    'loading',
    'money',
    'own-text.ts',
    'rows',
    'schema.ts',
    'specification',
    'trace.ts',
    'wire',
  ],
  'schema.ts': ['types', 'graph'],
  types: [
    'account',
    'derived',
    'errors',
    'graph',
    'groups.ts',
    'live',
    'loaders',
    'loading',
    'plan',
    'rows',
    'specification',
  ],
  live: ['account', 'errors', 'graph', 'groups.ts', 'loaders', 'plan', 'rows', 'specification', 'trace.ts'],
  loaders: [
    'account',
    'calls',
    'capabilities',
    'derived',
    'errors',
    'graph',
    'groups.ts',
    'loading',
    'money',
    'nearest-name.ts',
    'plan',
    'rows',
    'specification',
    'wire',
  ],
  graph: ['account', 'errors', 'groups.ts', 'loading', 'nearest-name.ts', 'plan', 'rows', 'specification'],
  loading: ['account', 'calls', 'errors', 'groups.ts', 'rows', 'specification', 'trace.ts', 'wire'],
  calls: [
    'account',
    'capabilities',
    'errors',
    'groups.ts',
    'money',
    'rows',
    'specification',
    'trace.ts',
    'wire',
  ],
  account: ['capabilities', 'errors', 'money', 'replace-file.ts', 'rows', 'specification', 'wire'],
  wire: ['capabilities', 'errors', 'greatest-age.ts', 'specification'],
  plan: ['specification'],
  capabilities: ['own-text.ts', 'replace-file.ts', 'rows', 'specification'],
  'trace.ts': ['errors'],
  'groups.ts': [],
  'replace-file.ts': [],
  'greatest-age.ts': [],
  'own-text.ts': [],
  'sqlite-file.ts': [],
  'proxy-variables.ts': [],
  errors: [],
  money: ['sqlite-file.ts'],
  rows: ['specification'],
  store: ['account', 'greatest-age.ts', 'money', 'sqlite-file.ts'],
  service: ['greatest-age.ts', 'specification', 'sqlite-file.ts'],
  client: [],
  derived: ['specification'],
  specification: [],
}

/** One path for each circle of imports. */
function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]) => {
    if (path.includes(name)) circles.push([...path.slice(path.indexOf(name)), name].join(' → '))
    if (path.includes(name) || done.has(name)) return
    for (const next of imports.get(name) ?? []) visit(next, [...path, name])
    done.add(name)
  }
  for (const name of imports.keys()) visit(name, [])
  return circles
}

const isFile = (module: string) => files.some(({ name }) => name === module)

describe('imports run one way', () => {
  test('the imports of a file are found, of packages, files and types, on one line or on several', () => {
    const text = `import { a } from './b.ts'\nimport type {\n  C,\n} from '../d/e.ts'\nexport * from "undici"\nimport './f.ts'\nawait import('node:fs')`
    expect(importsOf('x/y.ts', text)).toEqual(['x/b.ts', 'd/e.ts', 'undici', 'x/f.ts', 'node:fs'])
    expect(files.find(({ name }) => name === 'main.ts')?.imports).toContain('start/open-files.ts')
  })

  test('every room is known', () => {
    expect([...new Set(files.map(({ name }) => roomOf(name)))].filter((room) => !doors[room])).toEqual([])
  })

  test.each(Object.entries(doors))('%s looks into no rooms but %j', (room, open) => {
    const broken = files
      .filter(({ name }) => roomOf(name) === room)
      .flatMap(({ name, imports }) => imports.filter(isFile).map((module) => ({ name, module })))
      .filter(({ module }) => roomOf(module) !== room && !open.includes(roomOf(module)))
      .map(({ name, module }) => `${name} → ${module}`)
    expect(broken).toEqual([])
  })

  test('every import of a file is of a file that is there', () => {
    const missing = files.flatMap(({ name, imports }) =>
      imports
        .filter((module) => /\.tsx?$/.test(module) && !isFile(module))
        .map((module) => `${name} → ${module}`),
    )
    expect(missing).toEqual([])
  })

  test('no folders of the graph import each other in a circle', () => {
    // A folder that imports only folders already struck off is in no circle.
    const folders = new Map<string, Set<string>>()
    for (const { name, imports } of files) {
      if (/^(service|client)\//.test(name)) continue
      const folder = dirname(name)
      const known = folders.get(folder) ?? new Set()
      for (const module of imports.filter(isFile)) if (dirname(module) !== folder) known.add(dirname(module))
      folders.set(folder, known)
    }
    folders.delete('.') // files beside the rooms have their own doors
    for (let left = 0; left !== folders.size;) {
      left = folders.size
      for (const [folder, imports] of folders)
        if (![...imports].some((other) => folders.has(other))) folders.delete(folder)
    }
    expect([...folders.keys()]).toEqual([])
  })

  test('no files import each other in a circle that is loaded', () => {
    const loaded = files.map(({ name, text }) => {
      const values = text.replaceAll(/\b(?:import|export)\s+type\b[^'"]*['"][^'"]+['"]/g, '')
      return [name, importsOf(name, values).filter(isFile)] as const
    })
    expect(circlesOf(new Map(loaded))).toEqual([])
  })

  test('no files import each other in a circle, types included', () => {
    const imported = files.map(({ name, imports }) => [name, imports.filter(isFile)] as const)
    expect(circlesOf(new Map(imported))).toEqual([])
  })
})

const importing = (packages: RegExp) =>
  files.filter(({ imports }) => imports.some((module) => packages.test(module))).map(({ name }) => name)

describe('one file alone', () => {
  test('sends requests', () => {
    expect(importing(/^undici$/)).toEqual(['wire/transport.ts'])
    const fetching = files.filter(
      ({ name, text }) => !name.startsWith('client/') && /(?<![.\w])fetch\(/.test(text),
    )
    expect(fetching.map(({ name }) => name)).toEqual([])
  })

  test('reads the environment', () => {
    const reading = files.filter(({ text }) =>
      /\bprocess\s*\.\s*env\b|\benv\b[^\n]*from 'node:process'/.test(text),
    )
    expect(reading.map(({ name }) => name)).toEqual(['config.ts'])
  })
})

describe('what waits for several calls', () => {
  test('waits for all of them, though one has failed: a call that comes after the answer is on no bill', () => {
    const rooms = new Set([
      'account',
      'calls',
      'graph',
      'groups.ts',
      'live',
      'loaders',
      'loading',
      'types',
      'wire',
    ])
    const hasty = files.filter(({ name, text }) => rooms.has(roomOf(name)) && text.includes('Promise.all('))
    // The one that waits for all, and prefetches, which never reject.
    expect(hasty.map(({ name }) => name).toSorted()).toEqual(['account/client-request.ts', 'groups.ts'])
  })
})

const packagesOf = (room: string) =>
  new Set(
    files
      .filter(({ name }) => roomOf(name) === room)
      .flatMap(({ imports }) => imports.filter((module) => !isFile(module) && !module.startsWith('node:'))),
  )

describe('what a room is made of', () => {
  test('the specification is data alone', () => {
    expect(packagesOf('specification')).toEqual(new Set())
  })

  test('plans are pure: no package, no clock, no I/O', () => {
    expect(packagesOf('plan')).toEqual(new Set())
    const impure = files
      .filter(({ name }) => roomOf(name) === 'plan')
      .filter(
        ({ text, imports }) =>
          imports.some((module) => module.startsWith('node:')) ||
          /\bDate\b|\basync\b|\bPromise\b|Math\.random/.test(text),
      )
    expect(impure.map(({ name }) => name)).toEqual([])
  })

  test.each(['account', 'calls', 'errors', 'money', 'plan', 'service', 'specification', 'wire'])(
    '%s never says GraphQL',
    (room) => {
      const saying = [...packagesOf(room)].filter((module) => /graphql|pothos|apollo/.test(module))
      expect(saying).toEqual([])
    },
  )
})
