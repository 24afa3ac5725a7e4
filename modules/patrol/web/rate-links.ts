import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { listLink } from '#kit/web/list/list-address.ts'
import { listPatrolRecords } from '../contract/task.ts'
import { paths } from '../module.ts'

export interface RateFilter {
  readonly from: Day
  readonly to: Day
  readonly projectCode?: string
}

interface Counted {
  readonly pointId?: Id
  readonly roadId?: Id
  readonly taskStaffId?: Id
  readonly result?: readonly string[]
  readonly isAbnormal?: boolean
}

/** The records that a figure counts. */
export const recordsLink = ({ from, to }: RateFilter, counted: Counted = {}): string =>
  listLink(paths.logs, listPatrolRecords, { taskDateFrom: from, taskDateTo: to, ...counted })
