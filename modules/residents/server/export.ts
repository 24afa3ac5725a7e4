import { exportHandlers } from '#kit/server/sheets.ts'
import { listResidents, residentFilters } from '../contract/resident.ts'
import { exportResidents, residentColumns, residentLine } from '../contract/transfer.ts'
import { plain, residentWhere } from './list.ts'

/**
 * The list's own query over the lines of people with their homes (EXP-1); who has several homes has several
 * lines.
 */
export const residentExport = exportHandlers<NonNullable<typeof listResidents.input.T>>({
  kind: 'residents.resident',
  name: '住户',
  calls: exportResidents,
  entity: residentLine,
  columns: residentColumns,
  query: (q, { scope, today }) => ({
    q: plain(q),
    find: { filters: residentFilters, where: residentWhere(scope, q, today) },
  }),
})
