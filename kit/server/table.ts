import { Refused, resultCode } from '#kit/contract/wire.ts'

/**
 * An entity's table: reading (`table/page.ts`, `table/read.ts`) and writing (`table/write.ts`) inside the
 * caller's scope.
 */
export {
  assertInDomain,
  contains,
  filterConditions,
  notStruckOutCondition,
  notStruckOutFilter,
  tenantFilter,
} from './table/filter.ts'
export { buildingNameCondition, keywordCondition, orBuildingName, orInNamedProject } from './table/keyword.ts'
export { readOrder, type OrderTerm } from './table/columns.ts'
export {
  countRows,
  findAll,
  findByIds,
  findByKey,
  findByKeys,
  requireById,
  requireByIds,
  selectStatement,
} from './table/read.ts'
export { findPage } from './table/page.ts'
export type { FindOptions, TableQuery } from './table/query.ts'
export {
  insert,
  insertAll,
  insertNew,
  insertStatement,
  keyText,
  recordsetOf,
  remove,
  update,
  updateAll,
  type UpdateOptions,
} from './table/write.ts'

/**
 * The draft's full set of fields: what a form left empty becomes empty, not untouched (a save says the whole
 * record).
 */
export const withAllFields = <T extends object>(shape: { readonly fields: object }, value: T): T => ({
  ...Object.fromEntries(
    Object.keys(shape.fields)
      .filter(key => !['id', 'version'].includes(key))
      .map(key => [key, undefined]),
  ),
  ...value,
})

export const projectRequired = (): Refused => new Refused(resultCode.invalidInput, '请先选择项目')
