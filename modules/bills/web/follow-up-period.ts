import type { BillFollowUp } from '../contract/follow-up.ts'
import { formatPeriod } from '../domain/bill-row.ts'

const periodOf = (row: BillFollowUp): string =>
  row.beginDate && row.endDate ? formatPeriod(row.beginDate, row.endDate) : ''

/** 账期 as one column: its days alone would take the place of the sums. */
export const followUpPeriod = {
  key: 'beginDate',
  title: '账期',
  width: 130,
  render: periodOf,
  text: periodOf,
} as const
