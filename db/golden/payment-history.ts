import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { addDays, firstOfMonth, lastOfMonth, addMonths, type Day } from '#kit/domain/day.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { payMethod, recordType } from '#modules/payments/contract/choices.ts'
import { handoverPrefix, paymentPrefix, refundPrefix } from '#modules/payments/server/document-prefixes.ts'
import { analyzeTables } from './analyze.ts'
import { stampOf } from './stamp.ts'
import { billCreateTime, monthsBack, planEarlierBills, writeEarlierBills } from './bills.ts'
import { closeDays, seedHandover } from './payment-handovers.ts'
import { paidAtQuery } from './payment-days.ts'
import { completeRefund, requestRefund } from './payment-refunds.ts'

/** Methods of paying at the counter, as often as they are taken. */
const payMethods = (
  [
    'cash',
    'wechatTransfer',
    'wechatTransfer',
    'alipayTransfer',
    'transfer',
    'posOffline',
    'wechatTransfer',
    'cash',
  ] as const
).map((key, n) => ({ n, key, code: Number(codeOf(payMethod, key)) }))

export interface CashierHistory {
  readonly project: string
  /** Takes the money; the supervisor confirms it and closes the day, without one nothing is handed over. */
  readonly cashier: Scope
  readonly supervisor?: Scope
  /** How many rooms, by name, still owe what was billed last month: they pay in the last three weeks. */
  readonly keptUnpaid?: number
  /** How many of the last days stay open. */
  readonly openDays?: number
}

/** The records of each day in the order of their times. */
async function numberRecords(tx: Tx, ownerId: Id): Promise<void> {
  const days = await tx.rows<{ day: Day; n: number }>(
    sql`select day, count(*)::int as n from taken_of group by day order by day`,
  )
  const numbers: { readonly day: Day; readonly nth: number; readonly no: string }[] = []
  for (const { day, n } of days) {
    const drawn = await tx.numbers.nextMany(ownerId, paymentPrefix, day, n)
    numbers.push(...drawn.map((no, i) => ({ day, nth: i + 1, no })))
  }
  await tx.execute(sql`
    update taken_of t
    set record_no = x.no
    from (
      select o.record_id, d.no
      from (
        select record_id, day, row_number() over (partition by day order by pay_time, record_id) as nth
        from taken_of
      ) o
      join jsonb_to_recordset(${JSON.stringify(numbers)}::jsonb) as d(day date, nth bigint, no text)
        using (day, nth)
    ) x
    where x.record_id = t.record_id
  `)
}

/** `taken_of`: one record for each place and day, with its time and its way. */
async function groupByRecord(tx: Tx): Promise<void> {
  await tx.execute(sql`create temp table taken_of on commit drop as
    select nextval(pg_get_serial_sequence('pay_record', 'id')) as record_id, ''::text as record_no, o.*
    from (
      select g.*, at.time as pay_time, w.key as way, w.code as method,
        extract(year from g.day)::int as year,
        row_number() over (partition by extract(year from g.day) order by at.time, g.source_code) as nth
      from (
        select source_type, source_code, day, sum(sum) as sum, min(dice) as dice from taken group by 1, 2, 3
      ) g
      join jsonb_to_recordset(${JSON.stringify(payMethods)}::jsonb) as w(n int, key text, code smallint)
        on w.n = g.dice / 7 % ${payMethods.length}
      cross join lateral (
        select (
          g.day + interval '9 hours' + make_interval(mins => g.dice % 470, secs => g.dice / 470 % 60)
        ) at time zone 'Asia/Shanghai' as time
      ) at
      order by at.time, g.source_code
    ) o`)
}

/** `taken_part`: the bills of each record. */
async function joinBills(tx: Tx, { project, cashier }: CashierHistory): Promise<void> {
  const billColumns = sql`
    id, bill_no, source_type, source_code, source_name, build_code, payer_kind, payer_id, payer_name,
    fee_item_id, fee_item_name, begin_date, end_date, due_date, receivable
  `
  await tx.execute(
    sql`create temp table taken_part on commit drop as
      select o.record_id, o.day, o.pay_time, t.sum, b.*
      from taken t
      join taken_of o using (source_type, source_code, day)
      join (
        select ${billColumns}
        from bill
        where owner_id = ${cashier.ownerId} and project_code = ${project}
        union all
        select ${billColumns}
        from earlier
      ) b on b.id = t.bill_id`,
  )
}

/** The records with their receipts in order. */
async function insertRecords(tx: Tx, { project, cashier }: CashierHistory): Promise<void> {
  await tx.execute(sql`
    with r as (
      select record_id, min(source_name) as source_name, min(build_code) as build_code,
        min(payer_kind) as payer_kind, min(payer_id) as payer_id, min(payer_name) as payer_name
      from taken_part
      group by 1
    )
    insert into pay_record (
      owner_id, create_by, update_by, id, project_code, record_no, record_type, receipt_no, source_name,
      build_code, payer_kind, payer_id, payer_name, principal_amount, tendered_amount, pay_method, methods,
      pay_time, pay_day, cashier_id, cashier_name, state, create_time, update_time
    )
    select ${stampOf(cashier)}, o.record_id, ${project}::text, o.record_no, 10,
      o.year || '-' || lpad((coalesce(c.last, 0) + o.nth)::text, 6, '0'), r.source_name, r.build_code,
      r.payer_kind, r.payer_id, r.payer_name, o.sum, o.sum, o.method,
      jsonb_build_array(jsonb_build_object('method', o.way, 'amount', (o.sum * 100)::bigint)), o.pay_time,
      o.day, ${cashier.operatorId}::bigint, ${cashier.name}::text, 10, o.pay_time, o.pay_time
    from taken_of o
    join r using (record_id)
    left join receipt_counter c on c.owner_id = ${cashier.ownerId} and c.project_code = ${project} and c.year = o.year
  `)
  await tx.execute(
    sql`
      insert into receipt_counter (owner_id, project_code, year, last)
      select ${cashier.ownerId}::bigint, ${project}::text, year, count(*)
      from taken_of
      group by year
      on conflict (owner_id, project_code, year) do update set last = receipt_counter.last + excluded.last
    `,
  )
}

/** The ways and details of the records, and the moves on their bills. */
async function insertLines(tx: Tx, { cashier }: CashierHistory): Promise<void> {
  await tx.execute(
    sql`
      insert into pay_line (owner_id, record_id, seq, method, amount)
      select ${cashier.ownerId}::bigint, record_id, 0, method, sum
      from taken_of
    `,
  )
  await tx.execute(sql`
    insert into pay_detail (
      owner_id, create_by, update_by, record_id, bill_id, bill_no, source_type, source_code, source_name,
      fee_item_id, fee_item_name, begin_date, end_date, principal, late_fee, create_time, update_time
    )
    select ${stampOf(cashier)}, record_id, id, bill_no, source_type, source_code, source_name, fee_item_id, fee_item_name,
      begin_date, end_date, sum, 0, pay_time, pay_time
    from taken_part
    order by record_id, due_date, id
  `)
  await tx.execute(
    sql`
      insert into bill_move (
        owner_id, bill_id, day, principal, late_fee, ref_type, ref_id, create_time, create_by
      )
      select ${cashier.ownerId}::bigint, id, day, sum, 0, 'pay', record_id, pay_time, ${cashier.operatorId}::bigint
      from taken_part
    `,
  )
}

/** One write for each bill, when it was made and what was paid: another costs an entry in each index. */
async function writeBillsPaid(tx: Tx, { project, cashier }: CashierHistory): Promise<void> {
  await tx.execute(sql`
    update bill t
    set create_time = x.made + interval '2 hours 10 seconds',
      update_time = coalesce(x.pay_time, x.made + interval '2 hours 10 seconds'),
      paid_principal = coalesce(x.sum, 0), pay_state = coalesce((x.sum = x.receivable)::int, 0),
      pay_time = case when x.sum = x.receivable then x.pay_time end
    from (
      select b.id, b.receivable, ${billCreateTime} as made, p.sum, p.pay_time
      from bill b
      left join taken_part p on p.id = b.id
      where b.owner_id = ${cashier.ownerId} and b.project_code = ${project}
    ) x
    where t.owner_id = ${cashier.ownerId} and t.id = x.id
  `)
}

/** What was paid of each month of the bills. */
async function writeMonthsPaid(tx: Tx, { cashier }: CashierHistory): Promise<void> {
  await tx.execute(sql`
    update bill_month m
    set paid = x.paid
    from (
      select m.bill_id, m.month,
        div(p.sum * 100 * sum(m.receivable) over w, p.receivable) * 0.01 - div(
          p.sum * 100 * (sum(m.receivable) over w - m.receivable), p.receivable
        ) * 0.01 as paid
      from taken_part p
      join bill_month m on m.owner_id = ${cashier.ownerId} and m.bill_id = p.id
      window w as (partition by m.bill_id order by m.month)
    ) x
    where m.owner_id = ${cashier.ownerId} and m.bill_id = x.bill_id and m.month = x.month
  `)
}

/**
 * What was paid, by set, as the ledger writes it: one record for each place and day, its details, its way,
 * the moves on its bills, their months, the receipts in order.
 */
async function payAll(tx: Tx, history: CashierHistory): Promise<void> {
  const { project, cashier } = history
  await groupByRecord(tx)
  await numberRecords(tx, cashier.ownerId)
  await analyzeTables(tx, 'taken_of')
  await joinBills(tx, history)
  await analyzeTables(tx, 'taken_part')
  await insertRecords(tx, history)
  await insertLines(tx, history)
  await writeBillsPaid(tx, history)
  await writeEarlierBills(tx, cashier, project, sql`select id, sum, pay_time from taken_part`)
  await writeMonthsPaid(tx, history)
}

const reasons = ['重复缴费，业主申请退回', '收错房间', '房屋已过户，多收一个月'] as const

/** A payment of each month goes back three days later. */
async function seedMonthlyRefunds(
  tx: Tx,
  { project, cashier }: CashierHistory,
  supervisor: Scope,
  until: Day,
): Promise<void> {
  const records = await tx.rows<{ id: Id; day: Day }>(
    sql`
      select distinct on (month) id, day
      from (
        select id, pay_day as day, to_char(pay_day, 'YYYY-MM') as month
        from pay_record
        where owner_id = ${cashier.ownerId}
          and project_code = ${project}
          and record_type = ${code(recordType, 'payment')}
          and pay_day < ${addDays(until, -12)}::date
      ) r
      order by month, id % 97, id
    `,
  )
  for (const [index, { id, day }] of records.entries()) {
    const reason = defined(reasons[index % reasons.length])
    const refundNo = await tx.numbers.next(cashier.ownerId, refundPrefix, day)
    const refund = await requestRefund(tx, cashier, project, id, reason, refundNo)
    await completeRefund(tx, cashier, supervisor, refund.id, `${addDays(day, 3)} 15:20:00`)
  }
}

/** Half a year at the counter of an estate: payments, refunds, the handover of each month, days closed. */
export async function seedPaymentHistory(
  database: Database,
  history: CashierHistory,
  today: Day,
): Promise<void> {
  const { project, cashier, supervisor, keptUnpaid = 0, openDays = 1 } = history
  const ownerId = cashier.ownerId
  const lastMonth = firstOfMonth(addMonths(today, -1))
  const lastClosed = addDays(today, -openDays - 1)
  await database.tx(ownerId, async tx => {
    await planEarlierBills(tx, cashier, project, today)
    await analyzeTables(tx, 'earlier')
    await tx.execute(
      sql`create temp table taken on commit drop as ${paidAtQuery(ownerId, project, keptUnpaid, lastMonth, addDays(today, -1))}`,
    )
    await analyzeTables(tx, 'taken')
    await payAll(tx, history)
    // Another company's transaction beside this one may have analyzed these tables while they were small.
    await analyzeTables(tx, 'pay_record', 'pay_detail', 'pay_line')
    if (supervisor) {
      await seedMonthlyRefunds(tx, history, supervisor, lastClosed)
      for (let back = monthsBack; back > 0; back--) {
        const day = lastOfMonth(addMonths(today, -back))
        const handNo = await tx.numbers.next(ownerId, handoverPrefix, day)
        await seedHandover(tx, {
          project,
          cashier,
          handNo,
          until: `${day} 18:00:00`,
          confirmedBy: supervisor,
        })
      }
    }
    const firstDay = firstOfMonth(addMonths(today, -monthsBack))
    await closeDays(tx, supervisor ?? cashier, project, firstDay, lastClosed)
  })
}
