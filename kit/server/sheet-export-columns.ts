import type { Field, Fields } from '#kit/contract/field.ts'
import type { ExportInput } from '#kit/contract/import-export.ts'
import { exportColumns, sheetColumns, type SheetColumn } from '#kit/contract/sheet.ts'
import type { ExportDefinition } from './sheet-export.ts'
import { readableKeys } from './table/columns.ts'

/** What is read: the columns themselves, or the whole row where more is derived from it. */
export const keysToRead = <I, F extends Fields>(
  definition: ExportDefinition<I, F>,
  columns: readonly SheetColumn[],
): readonly string[] =>
  enrichmentOf(definition, columns) ? readableKeys(definition.entity) : columns.map(column => column.key)

/** What adds to the rows of these columns, where something does. */
export const enrichmentOf = <I, F extends Fields>(
  { entity, enrichRows, enrichComputed }: ExportDefinition<I, F>,
  columns: readonly SheetColumn[],
): ExportDefinition<I, F>['enrichRows'] => {
  const readable = readableKeys(entity)
  return enrichRows ?? (columns.some(({ key }) => !readable.includes(key)) ? enrichComputed : undefined)
}

const shownPlaces = ['table', 'detail'] as const

/** What neither lists nor records show is in no file. */
const isShown = (field: Field | undefined): boolean =>
  field !== undefined && !shownPlaces.every(place => field.hiddenIn?.includes(place))

/** Columns of an export; unlike those of a template, none is marked as required. */
export const chooseColumns = <I, F extends Fields>(
  { entity, columns, enrichRows, enrichComputed }: ExportDefinition<I, F>,
  { columns: keys }: ExportInput,
): readonly SheetColumn[] => {
  const readable = readableKeys(entity)
  const canCompute = enrichRows !== undefined || enrichComputed !== undefined
  const isOffered = (key: string): boolean =>
    isShown(entity.fields[key]) && (canCompute || readable.includes(key))
  return exportColumns(keys?.length ? sheetColumns(entity.fields, keys.filter(isOffered)) : columns)
}
