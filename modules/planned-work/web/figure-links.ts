import type { Day } from '#kit/domain/day.ts'
import { listLink } from '#kit/web/list/list-address.ts'
import type { WorkKind } from '../contract/choices.ts'
import { listAllRecords, listAllTasks, type listWorkRates } from '../contract/overview.ts'
import { paths } from '../module.ts'

export type RateRow = NonNullable<typeof listWorkRates.output.T>['rows'][number]
export type RateGroup = NonNullable<typeof listWorkRates.input.T>['by']

export interface RateFilter {
  readonly from: Day
  readonly to: Day
  readonly kinds: readonly WorkKind[]
}

/** The days and the kinds that a row counts. */
function spanOf({ from, to, kinds }: RateFilter, by: RateGroup, row: RateRow) {
  const isOfDay = by === 'day'
  const asked = row.kind ? [row.kind] : kinds
  return {
    taskDateFrom: isOfDay ? row.key : from,
    taskDateTo: isOfDay ? row.key : to,
    ...(asked.length ? { kinds: asked } : {}),
  }
}

/** What of the lists is the row's: their filters have the same names but for the person and the content. */
const placeOf = (row: RateRow) => ({
  ...(row.targetType ? { targetType: row.targetType } : {}),
  ...(row.targetId ? { targetId: row.targetId } : {}),
  ...(row.targetId === 0 ? { withoutTarget: true } : {}),
})

const isNobody = (by: RateGroup, row: RateRow): boolean => by === 'staff' && !row.staffId

/** The name of the row beside the list, whose filters do not show it. */
const named = (link: string, by: RateGroup, row: RateRow): string =>
  by === 'day' ? link : `${link}&about=${encodeURIComponent(row.name)}`

/** The tasks that a figure counts. */
export const tasksLink = (filter: RateFilter, by: RateGroup, row: RateRow, more: object = {}): string =>
  named(
    listLink(paths.allTasks, listAllTasks, {
      ...spanOf(filter, by, row),
      ...placeOf(row),
      ...(row.staffId ? { staffId: [String(row.staffId)] } : {}),
      ...(isNobody(by, row) ? { isUnassigned: true } : {}),
      ...(row.planId ? { planId: [String(row.planId)] } : {}),
      ...(row.subjectId ? { subjectId: row.subjectId } : {}),
      isCounted: true,
      ...more,
    }),
    by,
    row,
  )

/** The items of tasks that a figure counts. */
export const recordsLink = (filter: RateFilter, by: RateGroup, row: RateRow, more: object = {}): string =>
  named(
    listLink(paths.allRecords, listAllRecords, {
      ...spanOf(filter, by, row),
      ...placeOf(row),
      ...(row.staffId ? { taskStaffId: row.staffId } : {}),
      ...(isNobody(by, row) ? { isUnassigned: true } : {}),
      ...(row.planId ? { planId: row.planId } : {}),
      ...(row.subjectId ? { workId: row.subjectId } : {}),
      ...more,
    }),
    by,
    row,
  )
