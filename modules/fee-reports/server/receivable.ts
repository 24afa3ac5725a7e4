import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { billSource, billState, payState, billAge } from '#modules/bills/contract/choices.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { ageFigureKey, ageKeys } from '../contract/receivable.ts'
import { formatPercent } from '#kit/domain/percent.ts'
import { ageStartDays, ageExpression, isFee } from './month-rows.ts'
import {
  buildingDimension,
  createMonthDimension,
  choiceLabelSql,
  projectDimension,
  sumOf,
  type ReportSource,
  type Sql,
} from './report-source.ts'
import { code } from '#kit/server/sql.ts'
import { notStruckOutFilter } from '#kit/server/table.ts'
import { bill } from '#modules/bills/contract/bill.ts'

export const billDimensions = {
  item: { key: sql`t.fee_item_id`, name: sql`max(t.fee_item_name)` },
  month: createMonthDimension(sql`t.belong_month`),
  due: createMonthDimension(sql`to_char(t.due_date, 'YYYY-MM')`),
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

/** An abolished or split bill is in no sum (C27-9). */
const sumNotStruckOut = (column: string): Sql =>
  sql`coalesce(sum(${sql.ref(`t.${column}`)})${notStruckOutFilter(bill.fields)}, 0)`

const allBillsSource: Omit<ReportSource, 'where'> = {
  from: () => sql`from bill t`,
  dimensions: billDimensions,
  figures: ({ by }) => ({
    // By state, the abolished have a row of their own.
    count: by === 'state' ? sql`count(*)` : sql`count(*)${notStruckOutFilter(bill.fields)}`,
    amount: sumNotStruckOut('amount'),
    discount: sumNotStruckOut('discount_amount'),
    receivable: sumNotStruckOut('receivable'),
    paid: sumNotStruckOut('paid_principal'),
    unpaid: sumNotStruckOut('unpaid_principal'),
  }),
  derive: figures => {
    const rate = formatPercent(defined(figures.paid), defined(figures.receivable))
    return rate === undefined ? {} : { rate }
  },
}

/** Bills in force; the condition is that of the partial indexes. */
export const receivablesSource: ReportSource = {
  ...allBillsSource,
  where: () => [sql`t.state = ${code(billState, 'normal')}`, isFee('t')],
}
export const billSummarySource: ReportSource = { ...allBillsSource, where: () => [isFee('t')] }

/** Uses bill_owed. The key of an age is its number, so that ages are sorted. */
export const unpaidBillsSource: ReportSource = {
  from: () => sql`from bill t`,
  where: () => [
    sql`t.state = ${code(billState, 'normal')} and t.pay_state = ${code(payState, 'unpaid')}`,
    isFee('t'),
  ],
  dimensions: ({ today }) => ({
    ...billDimensions,
    age: {
      key: ageExpression(today, sql`t.due_date`),
      name: choiceLabelSql(billAge, ageExpression(today, sql`t.due_date`)),
      isSortedByKey: true,
    },
  }),
  figures: (_, { today }) => {
    const firstDayOfAge = (index: number): Sql =>
      sql`${today}::date - ${sql.raw(String(ageStartDays[index]))}`
    const isOfAge = (age: number): Sql =>
      sql.join(
        [
          ...(age > 0 ? [sql`t.due_date <= ${firstDayOfAge(age - 1)}`] : []),
          ...(age < ageStartDays.length ? [sql`t.due_date > ${firstDayOfAge(age)}`] : []),
        ],
        sql` and `,
      )
    return {
      count: sql`count(*)`,
      unpaid: sumOf('t.unpaid_principal'),
      lateFee: sumOf('t.late_fee_unpaid'),
      overdue: sql`coalesce(sum(t.unpaid_principal) filter (where t.due_date < ${today}::date), 0)`,
      ...Object.fromEntries(
        ageKeys.map((key, age) => [
          ageFigureKey(key),
          sql`coalesce(sum(t.unpaid_principal) filter (where ${isOfAge(age)}), 0)`,
        ]),
      ),
    }
  },
}
