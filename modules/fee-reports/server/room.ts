import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { code } from '#kit/server/sql.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'
import { sourceBills, getSourceBillTotals } from '../contract/room.ts'
import { formatPercent } from '#kit/domain/percent.ts'
import { isFee } from './month-rows.ts'
import { billDimensions } from './receivable.ts'
import type { ReportQuery } from '../contract/report.ts'
import { readReport } from './report.ts'
import {
  createMonthDimension,
  sumOf,
  type Figures,
  type FigureSql,
  type ReportContext,
  type ReportSource,
  type Sql,
} from './report-source.ts'

const isUnpaid = sql`t.pay_state = ${code(payState, 'unpaid')}`

/** Bills in force, as the list of bills shows them without a filter (BILL-14), but those of deposits. */
export const inForceConditions = (query: ReportQuery): readonly Sql[] => [
  sql`t.state = ${code(billState, 'normal')}`,
  isFee('t'),
  ...(query.sourceCode ? [sql`t.source_code = ${query.sourceCode}`] : []),
]

export const deriveCollectionRate = (figures: Figures): { rate?: string } => {
  const rate = formatPercent(defined(figures.paid), defined(figures.receivable))
  return rate === undefined ? {} : { rate }
}

export const buildBillFigures = (_: ReportQuery, { today }: ReportContext): FigureSql => ({
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
  dimensions: { ...billDimensions, kind: billDimensions.sourceType },
  figures: buildBillFigures,
  derive: deriveCollectionRate,
}

/**
 * Principal by the months it is for. `m` has the project too: one project is found by the months' own index.
 */
export const feeBillsSource: ReportSource = {
  from: (_, { scope }) =>
    sql`from bill t join bill_month m on m.owner_id = ${scope.ownerId} and m.bill_id = t.id`,
  where: query => [
    ...inForceConditions(query),
    ...(query.projectCode ? [sql`m.project_code = ${query.projectCode}`] : []),
    ...(query.monthFrom ? [sql`m.month >= ${query.monthFrom}`] : []),
    ...(query.monthTo ? [sql`m.month <= ${query.monthTo}`] : []),
  ],
  dimensions: { ...billDimensions, month: createMonthDimension(sql`m.month`) },
  figures: {
    discount: sumOf('m.discount'),
    receivable: sumOf('m.receivable'),
    paid: sumOf('m.paid'),
    unpaid: sumOf('m.receivable - m.paid'),
  },
  derive: deriveCollectionRate,
}

export const sourceBillTotalsHandler = reads(getSourceBillTotals, async (query, { db, scope, today }) => {
  const result = await readReport(
    db,
    sourceBills,
    feeBillsSource,
    query,
    { scope, today },
    { size: 1, offset: 0 },
  )
  const { discount, receivable, paid, unpaid, rate } = result.sum
  return {
    count: result.total,
    discount: Number(discount),
    receivable: Number(receivable),
    paid: Number(paid),
    unpaid: Number(unpaid),
    ...(rate === undefined ? {} : { rate: String(rate) }),
  }
})
