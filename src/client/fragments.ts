import type { DataOf, Typed } from './document.ts'

/** The type of an object whose query selected a fragment: what a component takes as a property. */
export type FragmentType<Document extends Typed<unknown, never>> =
  Document extends Typed<infer Data, never>
    ? [Data] extends [{ ' $fragmentName'?: infer Key }]
      ? Key extends string
        ? { ' $fragmentRefs'?: { [key in Key]: Data } }
        : never
      : never
    : never

type Masked<Data> = FragmentType<Typed<Data, never>>

/**
 * The fields of a fragment, in an object, or in each of a list, whose query selected it. Costs nothing at run
 * time: it only changes the type.
 */
export function readFragment<Data>(document: Typed<Data, never>, from: Masked<Data>): Data
export function readFragment<Data>(
  document: Typed<Data, never>,
  from: Masked<Data> | undefined,
): Data | undefined
export function readFragment<Data>(document: Typed<Data, never>, from: Masked<Data> | null): Data | null
export function readFragment<Data>(
  document: Typed<Data, never>,
  from: Masked<Data> | null | undefined,
): Data | null | undefined
export function readFragment<Data>(document: Typed<Data, never>, from: Masked<Data>[]): Data[]
export function readFragment<Data>(
  document: Typed<Data, never>,
  from: Masked<Data>[] | null | undefined,
): Data[] | null | undefined
export function readFragment<Data>(
  document: Typed<Data, never>,
  from: readonly Masked<Data>[],
): readonly Data[]
export function readFragment<Data>(
  document: Typed<Data, never>,
  from: readonly Masked<Data>[] | null | undefined,
): readonly Data[] | null | undefined
export function readFragment(_document: Typed<unknown, never>, from: unknown): unknown {
  return from
}

/** An object as a query that selected the fragment returns it, for tests of components. */
export const makeFragmentData = <Document extends Typed<unknown, never>>(
  data: DataOf<Document>,
  _document: Document,
): FragmentType<Document> => data as FragmentType<Document> // masked, it is the same object
