import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

const markdownIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))

const examples = readdirSync(join(root, 'examples')).flatMap((name) => markdownIn(`examples/${name}`))
const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...markdownIn('docs'),
  ...markdownIn('docs/decisions'),
  ...examples,
]

const textOf = (page: string) => readFileSync(join(root, page), 'utf8')
const proseOf = (page: string) => textOf(page).replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')

/** The anchors that GitHub gives to a page’s headings. */
const anchorsOf = (page: string) =>
  [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )

/** Links of a page to others of the repository, each with the file that it means and the heading in it. */
const linksOf = (page: string) =>
  [...proseOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]+))?\)/g)].map(([, path = '', anchor]) => ({
    target: path === '' ? page : join(dirname(page), path),
    anchor,
  }))

/** Whether a heading is there; true for a link to a whole page. */
const hasHeading = ({ target, anchor }: { target: string; anchor: string | undefined }) =>
  anchor === undefined || anchorsOf(target).includes(anchor)

describe.each(pages)('%s', (page) => {
  test('links to files and headings that are there', () => {
    const links = linksOf(page)
    expect(links.filter(({ target }) => !existsSync(join(root, target)))).toEqual([])
    expect(links.filter((link) => !hasHeading(link))).toEqual([])
  })

  test('names files of the repository that are there', () => {
    const named = [
      ...proseOf(page).matchAll(/`((?:src|test|bench|schema|codegen)\/[\w./-]+\.(?:ts|graphql))`/g),
    ]
    const files = named.map(([, file = '']) => file)
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })
})

test('docs/how-to.md has every code that an error can have', () => {
  const [, section = ''] = /^## Errors$([\s\S]*?)^## /m.exec(textOf('docs/how-to.md')) ?? []
  const listed = new Set(
    [...section.matchAll(/`([A-Z]+(?:_[A-Z]+)+|OVERLOADED|UNAUTHENTICATED|UNSUPPORTED)`/g)].map(
      ([, code]) => code,
    ),
  )
  const files = ['src/server', 'src/errors', 'src/graph', 'node_modules/graphql-yoga/esm'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|js)$/.test(name) && !name.includes('multipart'))
      .map((name) => join(folder, name)),
  )
  const sent = files.flatMap((file) =>
    [...textOf(file).matchAll(/\bcode(?::| =) '([A-Z_]+)'/g)].map(([, code]) => code),
  )
  expect(new Set(sent).size).toBeGreaterThan(15)
  expect([...new Set(sent)].filter((code) => !listed.has(code))).toEqual([])
})

test('docs/configuration.md has every variable that is read, and no other', () => {
  const names = (text: string, pattern: RegExp) =>
    [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].toSorted()
  const read = names(textOf('src/config.ts'), /\('([A-Z][A-Z_]+)'/g)
  const rows = textOf('docs/configuration.md').match(/^\| `[^|]+/gm) ?? []
  expect(read.length).toBeGreaterThan(30)
  expect(names(rows.join('\n'), /`([A-Z][A-Z_]+)`/g)).toEqual(read)
})

test.each([
  ['vue', 'vue-store.ts'],
  ['svelte', 'svelte-store.ts'],
])('docs/client.md shows for %s what its example runs', (_framework, file) => {
  const code = readFileSync(join(root, 'examples/vue-and-svelte/src', file), 'utf8')
  expect(textOf('docs/client.md')).toContain(`\`\`\`ts\n${code}\`\`\`\n`)
})
