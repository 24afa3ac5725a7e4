import { exportHandlers } from '#kit/server/sheet-export.ts'
import { listResidents, residentFilters } from '../contract/resident.ts'
import { exportResidents } from '../contract/import-export.ts'
import { plainFilters, residentListFilters } from './resident-filters.ts'

/**
 * The list's own query over the lines of people with their homes (EXP-1); who has several homes has several
 * lines.
 */
export const residentExport = exportHandlers<NonNullable<typeof listResidents.input.T>>({
  kind: 'residents.resident',
  name: '住户',
  calls: exportResidents,
  entity: exportResidents.entity,
  columns: exportResidents.columns,
  query: (query, { scope, today }) => ({
    q: plainFilters(query),
    find: { filters: residentFilters, where: residentListFilters(scope, query, today) },
  }),
})
