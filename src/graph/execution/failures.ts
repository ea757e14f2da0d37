import { GraphQLError, locatedError } from 'graphql'
import { CodedError, UnknownNameError } from '../../errors/errors.ts'
import type { FieldPlan } from './compile.ts'
import type { Group } from './group.ts'

/** A field of one object that failed. */
export interface Failure {
  readonly group: Group
  readonly index: number
  readonly field: FieldPlan
  /** The position, if an item of a list failed. */
  readonly position: number | null
  /** The error, or the message of one. */
  readonly error: unknown
}

type Path = readonly (string | number)[]

/** What failed in an execution. Only so many errors are listed: each costs more time and memory than a value. */
export class Failures {
  readonly #most: number
  readonly #listed: Failure[] = []
  /** Errors that are not listed. */
  #more = 0

  constructor(most: number) {
    this.#most = most
  }

  add(failure: Failure): void {
    if (this.#listed.length < this.#most) this.#listed.push(failure)
    else this.#more += timesOf(failure)
  }

  /** The errors at each of their paths. If there are too many, the last one says how many are left out. */
  get errors(): readonly GraphQLError[] {
    const errors: GraphQLError[] = []
    let more = this.#more
    for (const failure of this.#listed) {
      let left = timesOf(failure)
      for (const path of pathsTo(failure.group, failure.index)) {
        if (left === 0 || errors.length === this.#most) break
        errors.push(errorAt(failure, path))
        left -= 1
      }
      more += left
    }
    const last = errors.at(-1)
    return last && more > 0 ? [...errors, moreErrors(more, last)] : errors
  }
}

/** How often an error is listed: for each place where its object is printed. */
const timesOf = ({ group, index, error }: Failure) =>
  error instanceof UnknownNameError ? 1 : group.timesOf(index)

function errorAt({ field, position, error }: Failure, path: Path): GraphQLError {
  const original = typeof error === 'string' ? new Error(error) : error
  const place = position === null ? [] : [position]
  return locatedError(original, field.nodes, [...path, field.responseName, ...place])
}

/** Each path of an object in the answer. */
function* pathsTo(group: Group, index: number): Iterable<Path> {
  const { holder } = group
  if (!holder) return yield []
  for (const [parent, position] of group.parentsOf(index))
    for (const path of pathsTo(holder.group, parent))
      yield [...path, holder.field.responseName, ...(position === null ? [] : [position])]
}

/** Stands for the errors that are not listed. It has the code and the path of the last one that is. */
function moreErrors(more: number, { originalError, extensions, path }: GraphQLError): GraphQLError {
  const code = originalError instanceof CodedError ? originalError.code : extensions['code']
  return new GraphQLError(`${more} more errors are not listed.`, {
    path,
    extensions: { code: code ?? 'INTERNAL_SERVER_ERROR', more },
  })
}
