import { NotRecordedError } from '../../wire/not-recorded.ts'
import { callOf, readTape } from './tape.ts'
import type { Recorded } from '../../wire/not-recorded.ts'
import type { Beginning } from './tape.ts'
import { RecordedAnswers } from './recorded-answers.ts'
import type { Incoming, Transport } from '../../wire/transport.ts'

/** A tape that is replayed. */
export type Replayed = Transport & {
  readonly beginning: Beginning
  /** The number of keys that have answers of their own. */
  readonly keys: number
}

/**
 * Answers from a tape, in the order of recording. The last answer to a call is repeated. A call that is not
 * on the tape fails and costs nothing. Lines that were cut off are left out with a warning. Throws TapeError.
 *
 * Each key of the recording has its own answers. The keys of the replay take them in the order of their first
 * calls. If the recording had one key, all keys share its answers.
 */
export function replaying(file: string, warn = console.warn): Replayed {
  const { lines, beginning } = readTape(file, warn)
  const recorded = byKey(lines)
  const taken = new Map<string, RecordedAnswers>()
  const answersOf = (apiKey: string): RecordedAnswers | undefined => {
    if (recorded.length === 1) return recorded[0]
    const answers = taken.get(apiKey) ?? recorded[taken.size]
    if (answers) taken.set(apiKey, answers)
    return answers
  }
  const send: Transport = async (request) => {
    const answers = answersOf(request.apiKey)
    if (!answers) return failed(`The tape has answers for ${recorded.length} keys, and none for another one.`)
    const call = callOf(request)
    const answer = answers.answerTo(call)
    if (!answer) return failed(`The tape has no answer to ${call}. Record it again.`, () => answers.next)
    if (answer.failure && answer.status === 0) throw answer.failure
    request.onHeaders?.(answer.headers)
    return answer
  }
  return Object.assign(send, { beginning, keys: recorded.length })
}

/** The answers of each key, in the order of the keys' numbers; those of one key if there are none. */
function byKey(lines: readonly Recorded[]): readonly RecordedAnswers[] {
  const numbers = [...new Set(lines.map(({ key }) => key))].toSorted((a, b) => a - b)
  if (numbers.length === 0) return [new RecordedAnswers([])]
  return numbers.map((number) => new RecordedAnswers(lines.filter(({ key }) => key === number)))
}

const failed = (message: string, others: () => readonly Recorded[] = () => []): Incoming => ({
  status: 200,
  headers: { 'x-request-usage': '0' },
  body: '',
  bytes: 0,
  failure: new NotRecordedError(message, others),
})
