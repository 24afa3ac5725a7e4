import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { firstDay, lastDay, shiftMonth, type Month } from '#kit/domain/month.ts'
import { sql } from '#kit/server/db.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { billState, adjustType, payState } from '#modules/bills/contract/choices.ts'
import { feeType } from '#modules/fees/contract/choices.ts'
import type { Sql } from './report-source.ts'

const monthRows = sqlFile(import.meta.dirname, 'month-rows.sql', [
  'ownerId',
  'month',
  'previous_month',
  'first_day',
  'last_day',
  'bill_id',
  'condition',
  'live_bill',
  'written_off',
  'written_off_day',
  'share_at_start',
  'share_at_end',
])

/**
 * The share of a paid sum that falls on a bill's months up to this one, less those before it: floors of the
 * running total in whole fen, as `spread` does it (STAT-2).
 */
const shareOfPaid = (paid: Sql): Sql =>
  sql`case
    when x.bill_due = 0 then 0
    else (
      div(greatest(${paid}, 0) * 100 * x.due_up_to_month, x.bill_due) -
      div(greatest(${paid}, 0) * 100 * x.due_before_month, x.bill_due)
    ) * 0.01
    end`

/** The day on which bill `b` was written off; no record tells it of bills that were imported so. */
const writtenOffDay = (ownerId: Id, today: Day): Sql =>
  sql`case
    when b.state = ${code(billState, 'writtenOff')} then least(
      coalesce(
        (
          select max((a.create_time at time zone 'Asia/Shanghai')::date)
          from bill_adjust a
          where a.owner_id = ${ownerId}
            and a.bill_id = b.id
            and a.adjust_type = ${code(adjustType, 'writeOff')}
            and ${notDeleted('a')}
        ),
        '-infinity'
      ),
      ${today}::date
    )
    end`

/**
 * CLO-4: the rows of one month (month-rows.sql). `condition` is a condition on bills `b`; `byBill` keeps a
 * row for each bill, of which those carried over have none.
 */
export const selectMonthRows = (
  ownerId: Id,
  month: Month,
  today: Day,
  condition: Sql = sql`true`,
  byBill = false,
): Sql =>
  monthRows({
    ownerId,
    month,
    previous_month: shiftMonth(month, -1),
    first_day: firstDay(month),
    last_day: lastDay(month),
    bill_id: byBill ? sql`b.id` : sql`null::bigint`,
    condition,
    live_bill: notDeleted('b'),
    written_off: code(billState, 'writtenOff'),
    written_off_day: writtenOffDay(ownerId, today),
    share_at_start: shareOfPaid(sql`x.bill_paid - x.since_start`),
    share_at_end: shareOfPaid(sql`x.bill_paid - x.after_end`),
  })

/** What `fee_month` and `selectMonthRows` have in common. */
export const monthColumns = sql.raw(
  `
    owner_id, project_code, month, build_code, fee_item_id, opening, adjusted, billed, discount,
    paid_before, received, recovered, written_off, closing, prepaid, paid_after
  `,
)

/** Bills `b` whose project has not carried `month` over: what was carried over stays as it was (CLO-4). */
export const isNotCarriedOver = (ownerId: Id, month: Month): Sql => sql`not exists (
  select 1
  from fee_month c
  where c.owner_id = ${ownerId}
    and c.project_code = b.project_code
    and c.month = ${month}
    and c.kept
    and ${notDeleted('c')}
)`

/** A bill of a deposit is a liability, not income: no report of what is receivable counts it (C27-8). */
export const isFee = (bill: string): Sql => sql`${sql.ref(`${bill}.fee_type`)} <> ${code(feeType, 'deposit')}`

/** First overdue day of each age, from the youngest (AGE-1). */
export const ageStartDays = [1, 31, 61, 91, 181, 366, 731, 1096] as const

/** Which age a bill has on a day, as the number of AGE-1's table. */
export const ageExpression = (today: Day, dueDate: Sql): Sql =>
  sql`(${sql.join(
    ageStartDays.map(days => sql`(${dueDate} <= ${today}::date - ${sql.raw(String(days))})::int`),
    sql` + `,
  )})`

const collectionRows = sqlFile(import.meta.dirname, 'collection-rows.sql', [
  'ownerId',
  'month',
  'due_by',
  'condition',
  'live_bill',
  'normal',
  'unpaid',
  'age',
  'counts',
  'sums',
  'no_counts',
  'no_sums',
])

const ageNumbers = [0, ...ageStartDays.map((_, index) => index + 1)]
const zeros = ageNumbers.map(() => 0).join(',')

/** The array of one aggregate per age. */
const arrayByAge = (aggregate: (isAge: Sql) => Sql): Sql =>
  sql`array[${sql.join(ageNumbers.map(age => aggregate(sql`age = ${sql.raw(String(age))}`)))}]`

/** STAT-7 and AGE-1 of one month (collection-rows.sql); `condition` is a condition on bills `b`. */
export const selectCollectionRows = (
  ownerId: Id,
  month: Month,
  today: Day,
  condition: Sql = sql`true`,
): Sql =>
  collectionRows({
    ownerId,
    month,
    due_by: lastDay(month) < today ? lastDay(month) : today,
    condition: sql`${isFee('b')} and ${condition}`,
    live_bill: notDeleted('b'),
    normal: code(billState, 'normal'),
    unpaid: code(payState, 'unpaid'),
    age: ageExpression(today, sql`b.due_date`),
    counts: arrayByAge(isAge => sql`count(*) filter (where ${isAge})::int`),
    sums: sql`${arrayByAge(
      isAge => sql`coalesce(sum(unpaid_principal) filter (where ${isAge}), 0)`,
    )}::numeric(14,2)[]`,
    no_counts: sql.raw(`array[${zeros}]`),
    no_sums: sql.raw(`array[${zeros}]::numeric(14,2)[]`),
  })
