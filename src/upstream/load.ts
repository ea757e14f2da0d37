import DataLoader from 'dataloader'
import { CodedError, QueryTooExpensiveError, UpstreamError } from './errors.ts'
import type { Request } from './request.ts'
import type { World } from './world.ts'

/** Something wanted of one row. */
export interface Ask {
  readonly request: Request
  /** Says what is wanted, uniquely within its source. */
  readonly what: string
  /** The field that wants it. */
  readonly field: string
  /** Whether it has come since it was found missing. */
  readonly isThere?: () => boolean
}

/**
 * Where something wanted comes from: it fills what one turn of the event loop asked for, from whatever field, depth or client, with
 * the cheapest calls, and answers ask by ask, so that none waits for a call it does not need. What it brings is read from the rows.
 */
export interface Source<A extends Ask> {
  readonly name: string
  readonly fill: (world: World, asks: readonly A[]) => readonly Promise<unknown>[]
}

/** Loads what is asked for, with all else that this turn of the event loop asks of the source. */
export async function load<A extends Ask>(source: Source<A>, ask: A): Promise<void> {
  const { request } = ask
  const what = `${source.name} ${ask.what}`
  const failed = request.failure(what)
  if (failed) throw failed
  try {
    await loadShared(source, ask)
  } catch (error) {
    const coded = error instanceof CodedError ? error : internal(error)
    request.fail(what, coded)
    throw coded
  }
}

async function loadShared<A extends Ask>(source: Source<A>, ask: A): Promise<void> {
  const { request } = ask
  const { world } = request
  try {
    await loaderOf(world, source, world.loaders).load(ask)
  } catch (error) {
    if (!(error instanceof QueryTooExpensiveError) || error.isOnlyOf(request)) throw error
    // A call for several requests was more than any of them may spend. Its own part may fit.
    await loaderOf(world, source, request.loaders).load(ask)
  }
}

type Loaders = Map<object, unknown>

function loaderOf<A extends Ask>(world: World, source: Source<A>, loaders: Loaders): DataLoader<A, void> {
  let loader = loaders.get(source) as DataLoader<unknown, void> | undefined // set below
  if (!loader) {
    // One loader for one batch: a DataLoader never forgets its last batch, and with it the requests and their rows.
    // Keyed by the source itself, whose asks are the only keys this loader ever sees.
    loader = loaderFor(world, source, loaders) as DataLoader<unknown, void>
    loaders.set(source, loader)
  }
  return loader as DataLoader<A, void>
}

const loaderFor = <A extends Ask>(world: World, source: Source<A>, loaders: Loaders) =>
  new DataLoader<A, void>(
    // A promise among the values settles its own ask alone; DataLoader's type does not say that it may.
    async (asks) => {
      loaders.delete(source)
      return fillMissing(world, source, asks) as unknown as void[]
    },
    // Rows are the cache; the turn's end is when every resolver that can ask has asked.
    { cache: false, batchScheduleFn: (dispatch) => setImmediate(dispatch) },
  )

/** What another call has brought while the ask was waiting for its turn is not paid for again. */
function fillMissing<A extends Ask>(world: World, source: Source<A>, asks: readonly A[]) {
  const missing = asks.filter((ask) => !ask.isThere?.())
  const filled = new Map(source.fill(world, missing).map((done, index) => [missing[index], done] as const))
  return asks.map((ask) => filled.get(ask) ?? Promise.resolve())
}

function internal(error: unknown): CodedError {
  console.error(error)
  return new UpstreamError('The request could not be answered.')
}

/** Splits asks into groups that one function fills each, and answers ask by ask. */
export function byGroup<A extends Ask>(
  asks: readonly A[],
  groupOf: (ask: A) => string,
  fill: (group: readonly [A, ...A[]]) => Promise<unknown>,
): readonly Promise<unknown>[] {
  const groups = new Map<string, [A, ...A[]]>()
  for (const ask of asks) {
    const group = groups.get(groupOf(ask))
    if (group) group.push(ask)
    else groups.set(groupOf(ask), [ask])
  }
  const filled = new Map([...groups].map(([name, group]) => [name, fill(group)]))
  return asks.map((ask) => filled.get(groupOf(ask)) ?? Promise.resolve())
}

/**
 * Lets each request's answers out together, when the last is there: calls that the service takes only one by one still bring their
 * rows in one batch to whatever wants more of them, and no client waits for another's.
 */
export function inStep<A extends Ask>(
  asks: readonly A[],
  filled: readonly Promise<unknown>[],
): readonly Promise<unknown>[] {
  const all = new Map<Request, Promise<unknown>>()
  for (const { request } of asks) {
    if (all.has(request)) continue
    all.set(request, Promise.allSettled(filled.filter((_, index) => asks[index]?.request === request)))
  }
  return filled.map(async (one, index) => {
    const ask = asks[index]
    if (ask) await all.get(ask.request)
    return one
  })
}

/** The requests behind asks, the first asker first: one alone, or each as often as it asks for something of its own. */
export function requestsOf(asks: readonly [Ask, ...Ask[]]): readonly [Request, ...Request[]] {
  const [{ request: first }] = asks
  if (asks.every(({ request }) => request === first)) return [first]
  const asked = new Map<Request, Set<string>>()
  for (const { request, what } of asks) {
    const whats = asked.get(request)
    if (whats) whats.add(what)
    else asked.set(request, new Set([what]))
  }
  const [, ...others] = [...asked].flatMap(([request, { size }]) => Array<Request>(size).fill(request))
  return [first, ...others]
}
