import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'
import { sourceBills, getSourceBillTotals } from '../contract/room.ts'
import { formatPercent } from '../domain/rate.ts'
import { billDimensions } from './receivable.ts'
import {
  readReport,
  createCalendarDimension,
  type ReportContext,
  type ReportQuery,
  type ReportSource,
  type Sql,
} from './report.ts'

const rawCode = (n: string | number): Sql => sql.raw(String(n))
const isUnpaid = sql`t.pay_state = ${rawCode(codeOf(payState, 'unpaid'))}`

/** Bills in force, as the list of bills shows them unasked (BILL-14). */
export const inForceConditions = (q: ReportQuery): readonly Sql[] => [
  sql`t.state = ${rawCode(codeOf(billState, 'normal'))}`,
  ...(q.sourceCode ? [sql`t.source_code = ${q.sourceCode}`] : []),
]

export const sumOf = (n: string): Sql => sql`coalesce(sum(${sql.raw(n)}), 0)`

export const deriveCollectionRate = (f: Readonly<Record<string, number>>): { rate?: string } => {
  const rate = formatPercent(defined(f.paid), defined(f.receivable))
  return rate === undefined ? {} : { rate }
}

export const buildBillFigures = (
  _: ReportQuery,
  { today }: ReportContext,
): Readonly<Record<string, Sql>> => ({
  count: sql`count(*)`,
  amount: sumOf('t.amount'),
  discount: sumOf('t.discount_amount'),
  receivable: sumOf('t.receivable'),
  paid: sumOf('t.paid_principal'),
  lateFee: sumOf('t.late_fee_unpaid'),
  unpaid: sumOf('t.unpaid'),
  overdue: sql`coalesce(sum(t.unpaid) filter (where ${isUnpaid} and t.due_date < ${today}::date), 0)`,
})

export const roomBillsSource: ReportSource = {
  from: () => sql`from bill t`,
  where: inForceConditions,
  by: { ...billDimensions, kind: billDimensions.sourceType },
  figures: buildBillFigures,
  derive: deriveCollectionRate,
}

/**
 * Principal by the months it is for. `m` repeats the project, so that one project is found by the months' own
 * index.
 */
export const feeBillsSource: ReportSource = {
  from: (_, { scope }) =>
    sql`from bill t join bill_month m on m.owner_id = ${scope.ownerId} and m.bill_id = t.id`,
  where: q => [
    ...inForceConditions(q),
    ...(q.projectCode ? [sql`m.project_code = ${q.projectCode}`] : []),
    ...(q.monthFrom ? [sql`m.month >= ${q.monthFrom}`] : []),
    ...(q.monthTo ? [sql`m.month <= ${q.monthTo}`] : []),
  ],
  by: { ...billDimensions, month: createCalendarDimension(sql`m.month`) },
  figures: {
    discount: sumOf('m.discount'),
    receivable: sumOf('m.receivable'),
    paid: sumOf('m.paid'),
    unpaid: sumOf('m.receivable - m.paid'),
  },
  derive: deriveCollectionRate,
}

export const roomHandlers = [
  reads(getSourceBillTotals, async (q, { db, scope, today }) => {
    const said = await readReport(db, sourceBills, feeBillsSource, q, { scope, today }, { size: 1, from: 0 })
    return { count: said.total, ...said.sum } as never
  }),
]
