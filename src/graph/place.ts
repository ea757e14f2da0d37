import { timeOf } from '../rows/moment.ts'
import type { Moment } from '../rows/moment.ts'
import type { Slot } from '../rows/slot.ts'
import type { Entry } from '../rows/entry.ts'
import { nameOf } from '../specification/operation.ts'
import type { Operation } from '../specification/operation.ts'
import { failRows, isOfService, loadColumns } from '../loading/row-loader.ts'
import type { ClientRequest } from '../account/client-request.ts'
import type { Context } from './context.ts'
import type { Loader } from '../loading/loader.ts'
import type { Ask, Wanted } from '../loading/ask.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import type { Scope } from './scope.ts'

/** Where a value is stored. */
interface Kept<V> {
  readonly owner: Entry
  readonly slot: Slot<V>
}

/** Where a relation's value is stored for one parent, and what to ask for if it is missing. */
export interface Place<W, V> extends Kept<V> {
  readonly wanted: W
  /** The scope in which the rows are reached. */
  readonly scope: Scope
  /** The owner of the list that has this one as a part, in a slot of the same name. */
  readonly partOf?: Entry | undefined
  /** Whether a stored value can be used, if that depends on more than its age. */
  readonly isEnough?: (() => boolean) | undefined
  /**
   * Stores the value if other stored values tell it that may be used at that moment. Called before each look at
   * the slot: another instance's answers may have come since the last one.
   */
  readonly derive?: ((moment: Moment) => void) | undefined
  /** The value that the owner tells if loading fails and no value is stored; undefined if it tells none. */
  readonly otherwise?: ((moment: Moment) => V | undefined) | undefined
}

/** The stored value if it can be used; undefined if it has to be loaded. */
export function usable<W, V>(
  { owner, slot, isEnough, derive }: Place<W, V>,
  { now }: ClientRequest,
): V | null | undefined {
  derive?.(now)
  if (!isEnough) return slot.read(owner, now)
  return isEnough() ? slot.last(owner) : undefined
}

/** How a value is loaded. */
export interface Origin<W extends Wanted, V> {
  readonly loader: Loader<W, V>
  /** The operation that loads it. The plan names it also if the value was known. */
  readonly operation: Operation | ((place: Place<W, V>) => Operation)
  /** Called when an expired value is used because loading failed. */
  readonly expired?: ((value: V, request: ClientRequest, error: unknown) => void) | undefined
}

/**
 * The value at a place: the stored one if it is fresh, or the loaded one. If loading fails, an expired one.
 */
export function read<W extends Wanted, V>(
  origin: Origin<W, V>,
  place: Place<W, V>,
  context: Context,
  field: string,
): MaybePromise<V | null> {
  const value = readFresh(origin, place, context, field)
  if (!(value instanceof Promise)) return value
  return value.catch((error: unknown) => expiredOf(origin, place, context.clientRequest, error))
}

/**
 * The stored value if it is fresh, or the loaded one. Throws if loading fails, also if an expired value is
 * stored.
 */
export function readFresh<W extends Wanted, V>(
  origin: Origin<W, V>,
  place: Place<W, V>,
  context: Context,
  field: string,
): MaybePromise<V | null> {
  const hits = new Hits(origin, field)
  const known = cached(place, context, hits)
  hits.tell(context)
  return known === undefined ? load(origin, place, context, field) : known
}

/**
 * Where a whole is stored of which one part is known: the other one is read first. If that fails, the whole is
 * not loaded by another failing call.
 */
export function afterPart<W extends Wanted, V>(
  origin: Origin<W, V>,
  whole: Place<W, V>,
  part: Place<W, V>,
  context: Context,
  field: string,
): MaybePromise<Place<W, V>> {
  const value = readFresh(origin, part, context, field)
  if (!(value instanceof Promise)) return whole
  return value.then(
    () => whole,
    (error: unknown) => {
      if (isOfService(error)) origin.loader.fail(context.clientRequest, whole.wanted.what, error)
      return whole
    },
  )
}

/** Counts cache hits of a field, by the operation that would have been called. */
export class Hits<W extends Wanted, V> {
  readonly #operation: Origin<W, V>['operation']
  readonly #field: string
  #count = 0
  #places: Place<W, V>[] | null = null

  constructor({ operation }: Origin<W, V>, field: string) {
    this.#operation = operation
    this.#field = field
  }

  add(place: Place<W, V>): void {
    if (typeof this.#operation === 'function') (this.#places ??= []).push(place)
    else this.#count += 1
  }

  tell({ clientRequest: request }: Context): void {
    const operation = this.#operation
    if (typeof operation === 'function')
      for (const place of this.#places ?? []) request.hit(nameOf(operation(place)), [], this.#field)
    else if (this.#count > 0) request.hit(nameOf(operation), [], this.#field, this.#count)
  }
}

/** The value if it is stored and fresh; undefined if it has to be loaded. */
export function cached<W extends Wanted, V>(
  place: Place<W, V>,
  { clientRequest: request }: Context,
  hits: Hits<W, V>,
): V | null | undefined {
  const { owner, slot } = place
  request.touch(owner, slot.name)
  const known = usable(place, request)
  if (known !== undefined && slot.isOlder(owner, request.began)) hits.add(place)
  return known
}

/**
 * Loads the value. If something old is about to be bought again and nothing has confirmed lately that its
 * game or its season goes on, that is asked first: it costs less. If either is over, the old value is still
 * valid.
 */
async function load<W extends Wanted, V>(
  origin: Origin<W, V>,
  place: Place<W, V>,
  context: Context,
  field: string,
): Promise<V | null> {
  const { clientRequest: request } = context
  const { owner, slot, wanted } = place
  if (needsRevalidation(origin, place, context)) {
    const asked = isOfUncertainGame(place, context)
      ? loadColumns(request, 'game', owner.key, ['status'], field)
      : origin.loader.revalidation?.ask(wanted, request, field)
    await asked?.catch(() => {})
    place.derive?.(request.now)
    const known = slot.read(owner, request.now)
    if (known !== undefined) return known
  }
  return origin.loader.load(askFor(origin, place, context, field))
}

export function askFor<W extends Wanted, V>(
  origin: Origin<W, V>,
  place: Place<W, V>,
  { clientRequest: request }: Context,
  field: string,
): Ask<W, V> {
  const { owner, slot, wanted, isEnough, partOf, derive } = place
  const operation = operationOf(origin, place)
  const cached = () => usable(place, request)
  const value = () => {
    derive?.(request.now)
    return slot.lastOrNone(owner)
  }
  // These asks want more than the slot's value, each something else, so none can join another.
  if (isEnough) return { request, field, wanted, operation, cached, value }
  const kept = partOf ? [place, { owner: partOf, slot }] : [place]
  return { request, field, wanted, operation, cached, value, kept }
}

const operationOf = <W extends Wanted, V>({ operation }: Origin<W, V>, place: Place<W, V>): Operation =>
  typeof operation === 'function' ? operation(place) : operation

export function needsRevalidation<W extends Wanted, V>(
  { loader }: Origin<W, V>,
  place: Place<W, V>,
  context: Context,
): boolean {
  if (place.slot.last(place.owner) === undefined) return false
  return (
    isOfUncertainGame(place, context) || loader.revalidation?.is(place.wanted, context.clientRequest) === true
  )
}

const isOfUncertainGame = <V>({ owner }: Kept<V>, { clientRequest: request }: Context): boolean =>
  owner.game?.needsRevalidation(timeOf(request.now)) === true

/** The expired value, or what its owner tells. Throws `error` if that is too old, too, or missing. */
export function expiredOf<W extends Wanted, V>(
  { loader, expired }: Partial<Origin<W, V>>,
  place: Pick<Place<W, V>, 'owner' | 'slot' | 'derive' | 'otherwise'>,
  request: ClientRequest,
  error: unknown,
): V | null {
  const { owner, slot } = place
  const moment = request.staleMoment(error)
  if (moment !== null) place.derive?.(moment)
  const boughtAt = slot.boughtAt(owner)
  // A row that was missing was never bought, so it answers no other question.
  const value = moment === null || boughtAt === 0 ? undefined : slot.read(owner, moment)
  if (value === undefined) return toldOf(place, request, error)
  // Another part of the same call may have brought it meanwhile.
  if (slot.freshUntil(owner) > timeOf(request.now)) return value
  request.noteStaleBecause(error, owner, boughtAt)
  if (loader?.rows && Array.isArray(value)) failRows(request, loader.rows, value, error)
  if (value !== null) expired?.(value, request, error)
  return value
}

/** The value that the owner tells after loading has failed. Throws `error` if it tells none. */
function toldOf<W, V>(
  { owner, otherwise }: Pick<Place<W, V>, 'owner' | 'otherwise'>,
  request: ClientRequest,
  error: unknown,
): V {
  const moment = request.staleMoment(error)
  const value = moment === null ? undefined : otherwise?.(moment)
  if (value === undefined) throw error
  request.noteStaleBecause(error, owner, owner.boughtAt)
  return value
}
