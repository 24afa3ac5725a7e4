import { sql } from '#kit/server/db.ts'
import { billSource, billState } from '#modules/bills/contract/choices.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { age } from '#modules/bills/contract/choices.ts'
import { ageKey, agesAt } from '../contract/owed.ts'
import { percent } from '../domain/rate.ts'
import { ageDays, ageOf } from './month-rows.ts'
import { build, calendar, named, project, type Source, type Sql } from './report.ts'

const sum = (n: string): Sql => sql`coalesce(sum(t.${sql.raw(n)}), 0)`

/** What bills are broken down by. */
export const by = {
  item: { key: sql`t.fee_item_id`, name: sql`max(t.fee_item_name)` },
  month: calendar(sql`t.belong_month`),
  due: calendar(sql`to_char(t.due_date, 'YYYY-MM')`),
  build,
  project,
  source: {
    key: sql`t.project_code || '/' || t.source_type || '/' || t.source_code`,
    name: sql`max(t.source_name)`,
  },
  sourceType: { key: sql`t.source_type`, name: named(sourceType, sql`t.source_type`) },
  state: { key: sql`t.state`, name: named(billState, sql`t.state`) },
  from: { key: sql`t.bill_source`, name: named(billSource, sql`t.bill_source`) },
}

const whole: Omit<Source, 'where'> = {
  from: () => sql`from bill t`,
  by,
  figures: {
    count: sql`count(*)`,
    amount: sum('amount'),
    discount: sum('discount_amount'),
    receivable: sum('receivable'),
    paid: sum('paid_principal'),
    unpaid: sum('unpaid_principal'),
  },
  derive: f => {
    const rate = percent(f.paid!, f.receivable!)
    return rate === undefined ? {} : { rate }
  },
}

/** Bills in force; written as the partial indexes say it. */
export const shouldSource: Source = { ...whole, where: () => [sql`t.state = 20`] }
export const billsSource: Source = whole

/** Uses bill_owed. The key of an age is its number, so that ages stand in their order. */
export const waitingSource: Source = {
  from: () => sql`from bill t`,
  where: () => [sql`t.state = 20 and t.pay_state = 0`],
  by: c => ({
    ...by,
    age: {
      key: ageOf(c.today, sql`t.due_date`),
      name: named(age, ageOf(c.today, sql`t.due_date`)),
      inOrder: true,
    },
  }),
  figures: (_, { today }) => {
    const first = sql`${today}::date`
    const from = (i: number): Sql => sql`t.due_date <= ${first} - ${sql.raw(String(ageDays[i]))}`
    const past = (i: number): Sql => sql`t.due_date > ${first} - ${sql.raw(String(ageDays[i]))}`
    const inAge = (i: number): Sql =>
      sql.join([...(i > 0 ? [from(i - 1)] : []), ...(i < ageDays.length ? [past(i)] : [])], sql` and `)
    return {
      count: sql`count(*)`,
      unpaid: sum('unpaid_principal'),
      lateFee: sum('late_fee_unpaid'),
      overdue: sql`coalesce(sum(t.unpaid_principal) filter (where t.due_date < ${first}), 0)`,
      ...Object.fromEntries(
        agesAt.map((k, i) => [
          ageKey(k),
          sql`coalesce(sum(t.unpaid_principal) filter (where ${inAge(i)}), 0)`,
        ]),
      ),
    }
  },
}
