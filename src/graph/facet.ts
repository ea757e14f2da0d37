import type { GraphQLResolveInfo } from 'graphql'
import type { Entry } from '../upstream/entry.ts'
import { load } from '../upstream/load.ts'
import type { Ask, Source } from '../upstream/load.ts'
import { loadColumns } from '../upstream/read.ts'
import type { Request } from '../upstream/request.ts'
import type { Context } from './builder.ts'
import { fieldName } from './handle.ts'
import type { Soon } from './handle.ts'

/** What is asked of a source, but for who asks. */
export type Asked<A extends Ask> = Omit<A, 'request' | 'field'>

/**
 * A facet of a row: at once where it has been paid for, else from its source. The operation is the one that the plan names where
 * nothing had to be called.
 */
export function facet<A extends Ask, V>(
  entry: Entry,
  name: string,
  from: { source: Source<A>; ask: Asked<A> | (() => Asked<A>); operation: string },
  { client: request }: Context,
  info: GraphQLResolveInfo,
): Soon<V | null> {
  request.touch(entry, name)
  const known = entry.facet(name, request.now)
  if (known !== undefined) {
    if (entry.isOlder(request.began, name)) request.hit(from.operation, [], fieldName(info))
    return known as V | null // only the facet's own source puts it
  }
  // The ask is whole with what is added here.
  const asked = typeof from.ask === 'function' ? from.ask() : from.ask
  const isThere = () => entry.facet(name, request.now) !== undefined
  const ask = { ...asked, request, field: fieldName(info), isThere } as unknown as A
  const what = `${from.source.name} ${asked.what} ${name}`
  const asking = request.once(what, () =>
    askAgain(entry, name, request, ask.field, () => load(from.source, ask)),
  )
  return asking.then(
    () => (entry.facet(name, request.now) ?? null) as V | null,
    (error: unknown) => staleFacet(entry, name, request, error) as V | null,
  )
}

/** What a facet was, in place of what could not be had; throws where it is too old, or never was known. */
export function staleFacet(entry: Entry, name: string, request: Request, error: unknown): unknown {
  const moment = request.staleMoment(error)
  const boughtAt = entry.facetBoughtAt(name)
  // Of a row that was once missing nothing was ever bought: it is no answer to another question.
  const value = moment === null || boughtAt === 0 ? undefined : entry.facet(name, moment)
  if (value === undefined) throw error
  request.noteStale(entry, boughtAt)
  return value
}

/**
 * Asks a source, but first the game's row where lines or boxscores are bought again and nobody has told lately whether the game is
 * over: if it is, what is there is kept.
 */
async function askAgain(
  entry: Entry,
  name: string,
  request: Request,
  field: string,
  ask: () => Promise<void>,
): Promise<void> {
  if (entry.stale(name) === undefined || !entry.game?.isDoubtful(request.now)) return ask()
  await loadColumns(request, 'game', entry.key, ['status'], field).catch(() => {})
  if (entry.facet(name, request.now) === undefined) await ask()
}

/** Applies a step to a value that may be at hand. */
export function andThen<A, B>(value: Soon<A>, step: (value: A) => Soon<B>): Soon<B> {
  return value instanceof Promise ? value.then(step) : step(value)
}
