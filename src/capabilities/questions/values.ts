import { operations } from '../../specification/operations.ts'
import { bytesPerUnit, question } from './question.ts'
import type { Probe, Question } from './question.ts'
import { kindsOf } from './kinds.ts'
import { anyGame, twoTeams } from './access.ts'
import { statisticsOfDay } from './operations.ts'
import type { RawRow } from '../../specification/raw-row.ts'

/** The organizations: rows that every plan may read. */
const organizations = (): Probe => ({
  operation: operations.readOrganizations,
  arguments: { inactive: 0 },
  rows: 4,
})

/** How rows and values are written. The graph converts them before anything else reads them. */
export const formats: readonly Question[] = [
  question({
    name: 'rows',
    section: '§1',
    open: 'whether every read is keyed by id',
    assumed: 'keyed by id',
    findings: {
      'keyed by id': 'Rows are taken as they come.',
      list: 'A list is keyed by the ids in its rows.',
    },
    probes: [twoTeams, organizations],
    isSeenEverywhere: true,
    judge: ({ body, outcome }) => (outcome !== 'rows' ? null : Array.isArray(body) ? 'list' : 'keyed by id'),
  }),
  question({
    name: 'numbers',
    section: '§2',
    open: 'whether numbers and flags are always JSON numbers',
    assumed: 'numbers',
    findings: {
      numbers: 'They are taken as they come.',
      text: 'Texts of digits are converted in columns of numbers; true and false in columns of flags.',
    },
    probes: [anyGame],
    isSeenEverywhere: true,
    judge: (reply) =>
      anyValue(reply, (kind, value) => isNumber.has(kind) && isNumeral(value))
        ? 'text'
        : plainly(reply, 'numbers'),
  }),
  question({
    name: 'case of ids',
    section: '§1',
    open: 'whether UUIDs are written in lower case',
    assumed: 'lower',
    findings: {
      lower: 'They are taken as they come.',
      upper: 'The graph has them in lower case, and sends them in upper case.',
    },
    probes: [anyGame],
    isSeenEverywhere: true,
    judge: (reply) =>
      anyValue(reply, (kind, value) => kind === 'key' && isUpper(value)) ? 'upper' : plainly(reply, 'lower'),
  }),
  question({
    name: 'timestamps',
    section: '§1',
    open: 'whether timestamps always name their zone',
    assumed: 'UTC',
    findings: {
      UTC: 'They are taken as they come.',
      'without zone': 'They are taken to be UTC.',
    },
    probes: [anyGame],
    isSeenEverywhere: true,
    judge: (reply) =>
      anyValue(reply, (kind, value) => isMoment.has(kind) && isZoneless(value))
        ? 'without zone'
        : plainly(reply, 'UTC'),
  }),
  question({
    name: 'compressed answers',
    section: '§8',
    open: 'whether the bill of a compressed answer is that of its data',
    assumed: 'never',
    findings: {
      'billed by data': 'The graph asks for no compression: it would save nothing.',
      'billed by wire': 'The graph asks for compressed answers: they cost less.',
      never: 'The service does not compress, and the graph does not ask for it.',
    },
    probes: [statisticsOfDay],
    judge: ({ outcome, headers, bytes, wireBytes, tokens }) => {
      if (outcome !== 'rows') return null
      if (headers['content-encoding'] === undefined) return 'never'
      if (tokens === undefined || wireBytes === null) return null
      const units = (size: number) => Math.ceil(size / bytesPerUnit)
      return units(wireBytes) < units(bytes) && tokens <= units(wireBytes)
        ? 'billed by wire'
        : 'billed by data'
    },
  }),
  question({
    name: 'order of rows',
    section: '§4',
    open: 'the order of the rows of a read',
    assumed: 'any',
    findings: {
      any: 'The graph sorts what has an order, and relies on none.',
      'by id': 'The graph sorts what has an order, and relies on none.',
      'by name': 'The graph sorts what has an order, and relies on none.',
    },
    probes: [organizations],
    judge: ({ rows, outcome }) => {
      if (outcome !== 'rows' || rows.length < 3) return outcome === 'rows' ? 'any' : null
      if (isSorted(rows, 'organization_id')) return 'by id'
      return isSorted(rows, 'name') ? 'by name' : 'any'
    },
  }),
]

const isSorted = (rows: readonly RawRow[], name: string) =>
  rows.every((row, at) => at === 0 || String(rows[at - 1]?.[name]) <= String(row[name]))

const isNumber: ReadonlySet<string> = new Set(['integer', 'number', 'flag'])
const isMoment: ReadonlySet<string> = new Set(['timestamp', 'day'])

/** A number or flag that is written as text, or as true or false. */
export const isNumeral = (value: unknown): boolean =>
  typeof value === 'boolean' ||
  (typeof value === 'string' && (/^-?\d+(\.\d+)?$/.test(value) || value === 'true' || value === 'false'))

const uuid = /^[\dA-F]{8}(-[\dA-F]{4}){3}-[\dA-F]{12}$/

/** A UUID in upper case. A UUID of digits alone does not count. */
export const isUpper = (value: unknown): boolean =>
  typeof value === 'string' && uuid.test(value) && /[A-F]/.test(value)

/** A date and a time without a zone. */
export const isZoneless = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(value)

/** Whether any value in the reply's rows is written in a given way, by the kind of its column. */
function anyValue(
  { rows, probe }: Parameters<Question['judge']>[0],
  is: (kind: string, value: unknown) => boolean,
): boolean {
  const kinds = kindsOf(probe.operation)
  return rows.some((row) =>
    Object.entries(row).some(([name, value]) => {
      const kind = kinds.get(name)
      return kind !== undefined && is(kind, value)
    }),
  )
}

/** The finding for a reply with rows in which nothing special was seen. */
const plainly = <F extends string>(
  { outcome, probe }: Parameters<Question['judge']>[0],
  finding: F,
): F | null => (outcome === 'rows' && probe.operation.yields !== 'search' ? finding : null)
