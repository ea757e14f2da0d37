import { questions } from '../capabilities/questions.ts'
import { widthsOf } from './bill-table.ts'
import type { Examination, QuestionResult } from './doctor-run.ts'

/** The finding for each question, as a table for a terminal. */
export function doctorTable(examined: Examination): string {
  const { capabilities, subject, tokens, isEstimated, calls } = examined
  const { lines: drift } = capabilities.drift
  const league =
    subject.organization_id && subject.division_id
      ? [
          '',
          `DEFAULT_ORGANIZATION_ID=${subject.organization_id}`,
          `DEFAULT_DIVISION_ID=${subject.division_id}`,
        ]
      : []
  return [
    ...findingsTable(examined),
    ...(drift.length > 0 ? ['', 'Different from the specification:'] : []),
    ...drift.map(({ kind, where, count }) => `  ${kind}: ${where} (${count})`),
    ...league,
    ...(isFruitless(examined) ? [] : ['']),
    `${calls} ${calls === 1 ? 'call' : 'calls'}, ${tokens} tokens${isEstimated ? ', some of them estimated from bytes' : ''}.`,
  ].join('\n')
}

const askedIn = ({ lines }: Examination) => lines.filter(({ question }) => question.probes.length > 0)

/** Whether it ended before anything was found: the service is away, or refuses the key. */
const isFruitless = (examined: Examination) =>
  examined.trouble !== null && askedIn(examined).every(({ found }) => found === null)

function findingsTable(examined: Examination): readonly string[] {
  if (isFruitless(examined)) return []
  const rows = [
    ['', 'question', 'assumed', 'found', 'tokens', 'consequence'],
    ...askedIn(examined).map((line) => [
      markOf(line),
      line.question.name,
      line.question.assumed,
      line.found ?? '?',
      String(line.tokens),
      consequenceOf(line),
    ]),
  ]
  const widths = widthsOf(rows)
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

const markOf = ({ question, found }: QuestionResult) =>
  found === null ? '?' : found === question.assumed ? ' ' : '≠'

const consequenceOf = ({ question, found, reason }: QuestionResult) =>
  found === null ? (reason ?? '') : (question.findings[found] ?? '')

/** The same as JSON. It contains neither the key nor the address. */
export function doctorJson(examined: Examination): string {
  const { lines, capabilities, subject, tokens, isEstimated, calls, trouble } = examined
  const printed = lines.map(({ question, found, reason, tokens: cost }) => ({
    question: question.name,
    section: question.section,
    open: question.open,
    assumed: question.assumed,
    found,
    tokens: cost,
    ...(found === null ? { reason } : { consequence: question.findings[found] }),
  }))
  const { organization_id, division_id } = subject
  const league = organization_id && division_id ? { organization_id, division_id } : null
  const report = {
    tokens,
    isEstimated,
    calls,
    trouble,
    league,
    questions: printed,
    drift: capabilities.drift.lines,
  }
  return JSON.stringify(report, null, 2)
}

/** All questions as Markdown, with their assumptions and what the graph does with each finding. */
export const questionTable = (): string =>
  [
    '| question | the specification leaves open | finding: what the graph does |',
    '|---|---|---|',
    ...questions.map(({ name, section, open, assumed, findings }) => {
      const printed = Object.entries(findings).map(([found, does]) =>
        found === assumed ? `**${found}** (assumed): ${does}` : `${found}: ${does}`,
      )
      return `| ${name} | ${section}: ${open} | ${printed.join('<br>')} |`
    }),
  ].join('\n')
