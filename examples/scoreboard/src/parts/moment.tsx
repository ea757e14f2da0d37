import { momentOf } from './moments.ts'

/** A moment in the visitor’s zone. Where it is narrow, the time stands below the day. */
export function Moment({ at }: { at: string | number }) {
  const words = momentOf(at)
  const end = words.lastIndexOf(', ') + 1
  return (
    <span className="moment">
      <span>{words.slice(0, end)}</span> <span>{words.slice(end + 1)}</span>
    </span>
  )
}
