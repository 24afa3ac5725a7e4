import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { billSource, billState, payState } from '#modules/bills/contract/choices.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { billAge } from '#modules/bills/contract/choices.ts'
import { ageFigureKey, ageKeys } from '../contract/receivable.ts'
import { formatPercent } from '../domain/rate.ts'
import { ageStartDays, ageExpression } from './month-rows.ts'
import {
  buildingDimension,
  createCalendarDimension,
  choiceLabelSql,
  projectDimension,
  type ReportSource,
  type Sql,
} from './report.ts'
import { code } from '#kit/server/sql.ts'

const sumOf = (n: string): Sql => sql`coalesce(sum(t.${sql.raw(n)}), 0)`

/** What bills are broken down by. */
export const billDimensions = {
  item: { key: sql`t.fee_item_id`, name: sql`max(t.fee_item_name)` },
  month: createCalendarDimension(sql`t.belong_month`),
  due: createCalendarDimension(sql`to_char(t.due_date, 'YYYY-MM')`),
  build: buildingDimension,
  project: projectDimension,
  source: {
    key: sql`t.project_code || '/' || t.source_type || '/' || t.source_code`,
    name: sql`max(t.source_name)`,
  },
  sourceType: { key: sql`t.source_type`, name: choiceLabelSql(sourceType, sql`t.source_type`) },
  state: { key: sql`t.state`, name: choiceLabelSql(billState, sql`t.state`) },
  from: { key: sql`t.bill_source`, name: choiceLabelSql(billSource, sql`t.bill_source`) },
}

const allBillsSource: Omit<ReportSource, 'where'> = {
  from: () => sql`from bill t`,
  by: billDimensions,
  figures: {
    count: sql`count(*)`,
    amount: sumOf('amount'),
    discount: sumOf('discount_amount'),
    receivable: sumOf('receivable'),
    paid: sumOf('paid_principal'),
    unpaid: sumOf('unpaid_principal'),
  },
  derive: f => {
    const rate = formatPercent(defined(f.paid), defined(f.receivable))
    return rate === undefined ? {} : { rate }
  },
}

/** Bills in force; written as the partial indexes say it. */
export const receivablesSource: ReportSource = {
  ...allBillsSource,
  where: () => [sql`t.state = ${code(billState, 'normal')}`],
}
export const billSummarySource: ReportSource = allBillsSource

/** Uses bill_owed. The key of an age is its number, so that ages stand in their order. */
export const unpaidBillsSource: ReportSource = {
  from: () => sql`from bill t`,
  where: () => [sql`t.state = ${code(billState, 'normal')} and t.pay_state = ${code(payState, 'unpaid')}`],
  by: c => ({
    ...billDimensions,
    age: {
      key: ageExpression(c.today, sql`t.due_date`),
      name: choiceLabelSql(billAge, ageExpression(c.today, sql`t.due_date`)),
      inOrder: true,
    },
  }),
  figures: (_, { today }) => {
    const first = sql`${today}::date`
    const from = (i: number): Sql => sql`t.due_date <= ${first} - ${sql.raw(String(ageStartDays[i]))}`
    const past = (i: number): Sql => sql`t.due_date > ${first} - ${sql.raw(String(ageStartDays[i]))}`
    const inAge = (i: number): Sql =>
      sql.join([...(i > 0 ? [from(i - 1)] : []), ...(i < ageStartDays.length ? [past(i)] : [])], sql` and `)
    return {
      count: sql`count(*)`,
      unpaid: sumOf('unpaid_principal'),
      lateFee: sumOf('late_fee_unpaid'),
      overdue: sql`coalesce(sum(t.unpaid_principal) filter (where t.due_date < ${first}), 0)`,
      ...Object.fromEntries(
        ageKeys.map((k, i) => [
          ageFigureKey(k),
          sql`coalesce(sum(t.unpaid_principal) filter (where ${inAge(i)}), 0)`,
        ]),
      ),
    }
  },
}
