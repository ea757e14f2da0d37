import type { TableName } from '../../specification/tables.ts'
import { rowText, rowsText } from './json.ts'
import type { Operation, OperationClass } from './operation.ts'
import { columnsOf, selectFirst, selectRows } from './selection.ts'
import { rowTemplate, rowsTemplate } from './template.ts'

/** The first matching row; every column is a filter (specification §1). */
export function getRow(table: TableName, more: Partial<Operation> = {}): Operation {
  const template = rowTemplate(table)
  return {
    accepts: columnsOf(table),
    written: (filters) => ({ template, filters }),
    answer: async (context, given) => rowText(context, table, await selectFirst(context, table, given)),
    ...more,
  }
}

/** All matching rows by id; every column is a filter (specification §1). */
export function readRows(table: TableName, more: Partial<Operation> = {}): Operation {
  const template = rowsTemplate(table)
  return {
    accepts: columnsOf(table),
    needs: 'read',
    written: (filters) => ({ template, filters }),
    answer: async (context, given) => rowsText(context, table, await selectRows(context, table, given)),
    ...more,
  }
}

/** The base operations. */
export const table = (name: TableName): OperationClass => ({ get: getRow(name), read: readRows(name) })

/**
 * The base operations of a table that all plans may read in bulk: organization and division (specification
 * §8).
 */
export const openTable = (name: TableName): OperationClass => ({
  get: getRow(name),
  read: readRows(name, { needs: undefined }),
})
