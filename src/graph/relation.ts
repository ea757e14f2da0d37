import type { GraphQLResolveInfo } from 'graphql'
import { byLevel } from './by-level.ts'
import type { Context } from './context.ts'
import { fieldName } from './handle.ts'
import type { Ask, Wanted } from '../loading/ask.ts'
import { pending } from './many-answers.ts'
import type { ManyAnswers, Relation } from './many-answers.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import type { Needs } from './needs.ts'
import { Hits, askFor, cached, needsRevalidation, expiredOf, read } from './place.ts'
import type { Origin, Place } from './place.ts'

/** An answer that needs no call. */
export class Given<R> {
  readonly value: R

  constructor(value: R) {
    this.value = value
  }
}

/** A field that is not a column: its needs, its loader, where its value is stored and how it is answered. */
export interface Declaration<P, Args, W extends Wanted, V, R> extends Origin<W, V> {
  /** What it needs of its parent's row, and where its selection belongs. */
  readonly needs: Needs
  /** Where a parent's value is stored; a promise if a call is needed to find out. */
  readonly place: (
    parent: P,
    args: Args,
    context: Context,
    info: GraphQLResolveInfo,
  ) => MaybePromise<Place<W, V> | Given<R>>
  /** The field's answer. */
  readonly answer: (
    value: V | null,
    place: Place<W, V>,
    context: Context,
    parent: P,
    args: Args,
    info: GraphQLResolveInfo,
  ) => MaybePromise<R>
  /**
   * Resolves with whether the value is at another place, which only a row that had to be read tells; null if the
   * parent's place is certain.
   */
  readonly isElsewhere?: (
    value: V | null,
    parent: P,
    context: Context,
    info: GraphQLResolveInfo,
  ) => Promise<boolean> | null
}

/** The field options of a relation: `t.field({ type, description, args, ...relation({...}) })`. */
export function relation<P, Args, W extends Wanted, V, R>(declaration: Declaration<P, Args, W, V, R>) {
  return {
    needs: declaration.needs,
    relation: new DeclaredRelation(declaration),
    resolve: byLevel<P, Args, R>(),
  }
}

/** For whom a field is resolved. */
interface Asked<P, Args> {
  readonly parent: P
  readonly args: Args
  readonly context: Context
  readonly info: GraphQLResolveInfo
}

export class DeclaredRelation<P, Args, W extends Wanted, V, R> implements Relation<P, Args, R> {
  readonly #declared: Declaration<P, Args, W, V, R>

  constructor(declared: Declaration<P, Args, W, V, R>) {
    this.#declared = declared
  }

  get columns(): readonly string[] | undefined {
    const { operation } = this.#declared
    return typeof operation === 'function' ? undefined : operation.columns
  }

  /** Resolves all parents of a level, with one promise for each call. */
  resolveMany(parents: readonly P[], args: Args, context: Context, info: GraphQLResolveInfo): ManyAnswers<R> {
    const field = fieldName(info)
    const asks: Ask<W, V>[] = []
    const missing: { readonly index: number; readonly asked: Asked<P, Args>; readonly place: Place<W, V> }[] =
      []
    const hits = new Hits(this.#declared, field)
    const values = parents.map((parent, index) => {
      try {
        const place = this.#declared.place(parent, args, context, info)
        if (place instanceof Given) return place.value
        const asked = { parent, args, context, info }
        if (place instanceof Promise) return this.#late(place, asked)
        const value = cached(place, context, hits)
        if (value !== undefined) return this.#answer(value, place, asked)
        if (needsRevalidation(this.#declared, place, context)) return this.#late(place, asked)
        asks.push(askFor(this.#declared, place, context, field))
        missing.push({ index, asked, place })
        return pending
      } catch (error) {
        return errorOf(error)
      }
    })
    hits.tell(context)
    if (asks.length === 0) return { values, branches: null }
    const branches = this.#declared.loader.loadMany(asks).then((several) =>
      several.map((branch) => {
        const those = branch.indices.flatMap((index) => missing[index] ?? [])
        return {
          indices: those.map(({ index }) => index),
          values: branch.values.then(
            (found) =>
              those.map(({ place, asked }, nth) =>
                attempt(() => this.#arrived(found[nth] ?? null, place, asked)),
              ),
            (error: unknown) =>
              those.map(({ place, asked }) => attempt(() => this.#expired(error, place, asked))),
          ),
        }
      }),
    )
    return { values, branches }
  }

  #answer(value: V | null, place: Place<W, V>, asked: Asked<P, Args>): MaybePromise<R> {
    const { parent, args, context, info } = asked
    const { answer, isElsewhere, place: placeOf } = this.#declared
    const isMoved = isElsewhere?.(value, parent, context, info)
    if (!isMoved) return answer(value, place, context, parent, args, info)
    return isMoved.then((isSo) =>
      isSo
        ? this.#late(placeOf(parent, args, context, info), asked)
        : answer(value, place, context, parent, args, info),
    )
  }

  async #late(where: MaybePromise<Place<W, V> | Given<R>>, asked: Asked<P, Args>): Promise<R> {
    const place = await where
    if (place instanceof Given) return place.value
    const { context, info } = asked
    return this.#answer(await read(this.#declared, place, context, fieldName(info)), place, asked)
  }

  #arrived(value: MaybePromise<V | null>, place: Place<W, V>, asked: Asked<P, Args>): MaybePromise<R> {
    if (!(value instanceof Promise)) return this.#answer(value, place, asked)
    return value.then(
      (found) => this.#answer(found, place, asked),
      (error: unknown) => this.#expired(error, place, asked),
    )
  }

  #expired(error: unknown, place: Place<W, V>, asked: Asked<P, Args>): MaybePromise<R> {
    return this.#answer(expiredOf(this.#declared, place, asked.context.clientRequest, error), place, asked)
  }
}

/** What a function returns, or the error that it throws. */
function attempt<T>(work: () => T): T | Error {
  try {
    return work()
  } catch (error) {
    return errorOf(error)
  }
}

const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
