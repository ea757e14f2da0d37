import type { StatisticClass } from '../../specification/tables.ts'
import { needsDays, withDays } from './days.ts'
import { nothing, rowText } from './json.ts'
import type { Accepted, Arguments, Operation, OperationClass } from './operation.ts'
import { columnsOf, selectFirst, selectLatest } from './selection.ts'
import { standing } from './standing.ts'
import { getRow, readRows } from './table.ts'
import { rowTemplate } from './template.ts'

const careers = ['career', 'career_active'] as const

/** All classes accept the career flags; only players have careers (specification §4, statistic getStats). */
const accepted = (name: StatisticClass): Accepted => ({
  ...columnsOf(name),
  career: 'flag',
  career_active: 'flag',
})

/**
 * The first matching row of a class, ranking part and sport part in one flat object. Every season has its
 * current row: with `current=1` the latest of these comes first.
 */
function getStats(name: StatisticClass): Operation {
  const template = rowTemplate(name, 'latest')
  return {
    accepts: accepted(name),
    requires: ['organization_id'],
    written(given) {
      const filters = isLatest(given) ? rowFilters(name, given) : undefined
      return filters && { template, filters }
    },
    async answer(context, given) {
      const filters = rowFilters(name, given)
      if (!filters) return nothing
      const select = isLatest(given) ? selectLatest : selectFirst
      return rowText(context, name, await select(context, name, filters))
    },
  }
}

const isLatest = (given: Arguments) => given.get('current')?.includes(1) === true

/** The conditions of a row; undefined if the class has no such rows. */
function rowFilters(name: StatisticClass, given: Arguments): Arguments | undefined {
  if ('career' in columnsOf(name)) return standing(ofCareer(given))
  if (careers.some((flag) => given.get(flag)?.includes(0) === false)) return undefined
  return without(standing(given), careers)
}

/**
 * A player's row is of one season unless a career is requested. `career_active` is about careers only, and a
 * career has no season.
 */
function ofCareer(given: Arguments): Arguments {
  const career = given.get('career') ?? [given.has('career_active') ? 1 : 0]
  const filters = new Map([...given, ['career', career]])
  if (!career.includes(0)) filters.delete('season')
  return filters
}

const without = (given: Arguments, names: readonly string[]): Arguments =>
  new Map([...given].filter(([name]) => !names.includes(name)))

const onDays = (name: StatisticClass, operation: Operation): Operation => ({
  ...operation,
  written: (given) => (needsDays(name, given) ? undefined : operation.written?.(given)),
  async answer(context, given) {
    await withDays(context, name, given)
    return operation.answer(context, given)
  },
})

export const statistics = (name: StatisticClass): OperationClass => ({
  get: onDays(name, getRow(name)),
  read: onDays(name, readRows(name)),
  getStats: onDays(name, getStats(name)),
})
