import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

/** What grows: these, and lists and objects that begin empty. */
const classes = new Set(['Map', 'Set', 'LRUCache', 'DataLoader', 'List'])
const adding = new Set(['add', 'push', 'set', 'splice', 'unshift'])

/** Methods that call their function at once, and do not keep it. */
const calling = new Set(
  'every filter find findIndex flatMap forEach from map reduce replace replaceAll some sort toSorted'.split(
    ' ',
  ),
)

/** A node of the syntax tree, as ESTree has it. */
interface Node {
  readonly type: string
  readonly [part: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const nodeOf = (value: unknown): Node | null => (isNode(value) ? value : null)
const nameOf = (value: unknown): string => String(nodeOf(value)?.['name'] ?? '')

/** Whether a value begins empty, or is a cache, and can grow. */
function canGrow(value: unknown): boolean {
  const node = nodeOf(value)
  if (node === null) return false
  if (node.type === 'NewExpression') return classes.has(nameOf(node['callee']))
  if (node.type === 'ArrayExpression') return (node['elements'] as unknown[]).length === 0 // as ESTree has it
  if (node.type === 'ObjectExpression') return (node['properties'] as unknown[]).length === 0 // the same
  return /^(TSAs|TSSatisfies|Parenthesized)/.test(node.type) && canGrow(node['expression'])
}

/** A function around a node, and whether it is called where it stands and not kept. */
interface Around {
  readonly node: Node
  readonly isCalledAtOnce: boolean
}

interface Declared {
  readonly name: string
  /** The functions around it; null for a member of an object. */
  readonly around: readonly Around[] | null
  /** A cache is there to grow, and fields of classes are filled from any file. */
  readonly isCertain: boolean
}

/** Something is added to what has this name. */
interface Addition {
  readonly name: string
  readonly isMember: boolean
  readonly around: readonly Around[]
}

class Reading {
  readonly declared: Declared[] = []
  readonly additions: Addition[] = []

  read(node: Node, around: readonly Around[], parent: Node | null): void {
    this.#declaration(node, around)
    this.#addition(node, around)
    const inner = /Function/.test(node.type)
      ? [...around, { node, isCalledAtOnce: isCalledAtOnce(node, parent) }]
      : around
    for (const part in node) {
      const child = node[part]
      if (Array.isArray(child)) for (const one of child) this.#readPart(one, inner, node)
      else this.#readPart(child, inner, node)
    }
  }

  #readPart(part: unknown, around: readonly Around[], parent: Node): void {
    // Types have no values.
    if (isNode(part) && part.type !== 'TSTypeAnnotation') this.read(part, around, parent)
  }

  #declaration(node: Node, around: readonly Around[]): void {
    const { type, id, init, key, value, left, right } = node
    const declare = (name: unknown, initial: unknown, where: readonly Around[] | null, isField = false) => {
      if (!canGrow(initial)) return
      const isCertain = isField || nameOf(nodeOf(initial)?.['callee']) === 'LRUCache'
      this.declared.push({ name: nameOf(name), around: where, isCertain })
    }
    if (type === 'VariableDeclarator') declare(id, init, around)
    if (type === 'PropertyDefinition') declare(key, value, null, true)
    if (type === 'Property') declare(key, value, null)
    if (type === 'AssignmentExpression' && nodeOf(left)?.type === 'MemberExpression')
      declare(nodeOf(left)?.['property'], right, null)
  }

  #addition(node: Node, around: readonly Around[]): void {
    const callee = node.type === 'CallExpression' ? nodeOf(node['callee']) : null
    if (callee?.type === 'MemberExpression' && adding.has(nameOf(callee['property'])))
      this.#add(callee['object'], around)
    const left = node.type === 'AssignmentExpression' ? nodeOf(node['left']) : null
    if (left?.type === 'MemberExpression' && left['computed'] === true) this.#add(left['object'], around)
  }

  #add(target: unknown, around: readonly Around[]): void {
    const node = nodeOf(target)
    const isMember = node?.type === 'MemberExpression'
    const name = nameOf(isMember ? node['property'] : target)
    if (name !== '') this.additions.push({ name, isMember, around })
  }
}

function isCalledAtOnce(node: Node, parent: Node | null): boolean {
  if (parent?.type !== 'CallExpression') return false
  const callee = nodeOf(parent['callee'])
  return callee === node || calling.has(nameOf(callee?.['property']))
}

/**
 * Whether something is added by a function that may be called later: one that a member, a module, or a function that
 * has returned still has.
 */
const isAddedLater = ({ name, around }: Declared, { additions }: Reading): boolean =>
  additions.some((one) => {
    if (one.name !== name) return false
    if (around === null) return true
    if (one.isMember) return false
    if (around.length === 0) return true
    const isInside = one.around[around.length - 1]?.node === around.at(-1)?.node
    return isInside && one.around.slice(around.length).some(({ isCalledAtOnce: atOnce }) => !atOnce)
  })

/** The names of what can grow in a file after the call that has made it: members, and variables of modules and closures. */
export function growingIn(text: string, isTsx = false): string[] {
  const reading = new Reading()
  reading.read(parseAst(text, { lang: isTsx ? 'tsx' : 'ts' }) as unknown as Node, [], null) // an ESTree
  const growing = reading.declared.filter((one) => one.isCertain || isAddedLater(one, reading))
  return [...new Set(growing.map(({ name }) => name))].toSorted()
}

/** The same for all files of a folder, as `file: name`. */
export function growingBelow(folder: string): string[] {
  const mayGrow = new RegExp(`new (${[...classes].join('|')})\\b|\\[\\]|\\{\\}`)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.d)\.tsx?$/.test(file) && !/(^|\/)(dist|node_modules)\//.test(file))
    .toSorted()
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    return mayGrow.test(text) ? growingIn(text, file.endsWith('x')).map((name) => `${file}: ${name}`) : []
  })
}
