import { codeOf, type Moment } from '#kit/contract/field.ts'
import { addDays, firstOfMonth, lastOfMonth, addMonths, type Day } from '#kit/domain/day.ts'
import { formatYuan } from '#kit/domain/money.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, requireById } from '#kit/server/table.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { rebuildDays } from '#modules/fee-reports/server/till-days.ts'
import { payMethod } from '#modules/payments/contract/choices.ts'
import { cashierHandover } from '#modules/payments/contract/day-close.ts'
import { payRecord } from '#modules/payments/contract/record.ts'
import { feeRefund } from '#modules/payments/contract/refund.ts'
import { sumHandover } from '#modules/payments/server/handover.ts'
import { finishRefund } from '#modules/payments/server/refund-completion.ts'
import { analyzeTables } from './analyze.ts'
import { billCreateTime, monthsBack, planEarlierBills, writeEarlierBills } from './bills.ts'

/** Ways of paying at the desk, as often as they are taken. */
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
).map((key, n) => ({ n, key, code: codeOf(payMethod, key) as number }))

export interface CashierHistory {
  readonly project: string
  /** Its place among the company's, for numbers. */
  readonly sequence: number
  /**
   * Who takes the money, and who confirms it and closes the day; without the second nothing is handed over.
   */
  readonly cashier: Scope
  readonly supervisor?: Scope
  /** How many rooms, by name, still owe what was billed last month: they pay in the last three weeks. */
  readonly keptUnpaid?: number
  /** Days of the till's own story: left open here. */
  readonly openDays?: number
}

/** Asks for a refund of a record's first line. */
export async function requestRefund(
  tx: Tx,
  till: Scope,
  project: string,
  record: number,
  reason: string,
  no: string,
): Promise<{ readonly id: number }> {
  const d = await tx.one<{ id: number; billId: number; principal: string }>(
    sql`
      select id, bill_id, (principal * 100)::bigint as principal
      from pay_detail
      where owner_id = ${till.ownerId} and record_id = ${record}
      order by id
      limit 1
    `,
  )
  const r = await requireById(tx, payRecord, till, record)
  const amount = Number(d!.principal)
  await tx.execute(
    sql`
      update pay_record
      set refunding_amount = ${formatYuan(amount)}
      where owner_id = ${till.ownerId} and id = ${record}
    `,
  )
  return insert(tx, feeRefund, till, {
    projectCode: project,
    refundNo: no,
    recordId: record,
    sourceName: r.sourceName,
    buildCode: r.buildCode,
    payerName: r.payerName,
    lines: [{ detailId: d!.id, billId: d!.billId, principal: amount, late: 0 }],
    amount,
    refundWay: 'cash',
    billAfter: 'owed',
    reason,
    applyBy: till.operatorId,
    applyName: till.name,
    state: 'pending',
  })
}

export async function completeRefund(
  tx: Tx,
  till: Scope,
  chief: Scope,
  refund: number,
  at: Moment,
): Promise<void> {
  await tx.execute(
    sql`
      update fee_refund
      set audit_by = ${chief.operatorId}, audit_name = ${chief.name}, audit_time = ${at},
        audit_note = '已核对', create_time = least(create_time, ${at}::timestamptz - interval '1 day')
      where owner_id = ${till.ownerId} and id = ${refund}
    `,
  )
  await finishRefund(tx, till, await requireById(tx, feeRefund, till, refund), at)
}

/**
 * When each bill is paid, and how much of it. Of a thousand places sixty never pay; some pay every other
 * month, some a little late, some leave a month out or pay a part. Nobody pays so late that a late fee is
 * due.
 */
const paidAtQuery = (owner: number, project: string, kept: number, last: Day, until: Day) => sql`
  with named as (
    select source_code
    from bill
    where owner_id = ${owner}
      and project_code = ${project}
      and source_type = 10
      and state = 20
      and delete_tag = 0
    group by 1
    order by min(source_name) collate "C"
    limit ${kept}
  ),
    a as (
      select b.id, b.source_type, b.source_code, b.receivable, b.bill_no, ${billCreateTime} as made
      from bill b
      where b.owner_id = ${owner}
        and b.project_code = ${project}
        and b.state = 20
        and b.pay_state = 0
        and b.delete_tag = 0
      union all
      select id, source_type, source_code, receivable, bill_no, made
      from earlier
    ),
    b as (
      select *, abs(hashtext(source_code)) % 1000 as h,
        abs(hashtext(source_code || made::text)) % 1000 as g, abs(hashtext(bill_no)) % 10 as k
      from a
      where receivable > 0
        and not (made >= ${last}::date and source_code in (select source_code from named))
    ),
    d as (
      select *,
        case
          when source_type = ${codeOf(sourceType, 'parkPlace')} then made + 1 + g % 19
          when h < 380
            and (extract(month from made)::int + h) % 2 = 1 then (made + interval '1 month')::date + 2 + h % 10
          when h < 380 then made + 2 + h % 10
          when g >= 920 then (made + interval '1 month')::date + 1 + g % 11
          else made + 1 + g % 25
          end as day
      from b
      where h >= 60 and g < 960
    )
  select id as bill_id, source_type, source_code, day,
    case
      when g between 880 and 919
        and k < 4
        and source_type = 10
        and receivable > 20 then floor(receivable * 0.6)
      else receivable
      end as sum,
    abs(hashtext(source_code || day::text)) as dice
  from d
  where day <= ${until}::date
`

/**
 * What was paid, by set, as the ledger writes it: one record for each place and day, its details, its way,
 * the moves on its bills, their months, the receipts in order.
 */
async function payAll(tx: Tx, { project, cashier }: CashierHistory): Promise<void> {
  const owner = cashier.ownerId
  const by = sql`${owner}::bigint, ${cashier.operatorId}::bigint, ${cashier.operatorId}::bigint`
  await tx.execute(sql`create temp table taken_of on commit drop as
    select nextval(pg_get_serial_sequence('pay_record', 'id')) as record_id, next_code('SK') as record_no,
      o.*
    from (
      select g.*, at.time as pay_time, w.key as way, w.code as method,
        extract(year from g.day)::int as year,
        row_number() over (partition by extract(year from g.day) order by at.time, g.source_code) as nth
      from (
        select source_type, source_code, day, sum(sum) as sum, min(dice) as dice from taken group by 1, 2, 3
      ) g
      join jsonb_to_recordset(${JSON.stringify(payMethods)}::jsonb) as w(n int, key text, code smallint) on w.n = g.dice / 7 % ${payMethods.length}
      cross join lateral (
        select (
          g.day + interval '9 hours' + make_interval(mins => g.dice % 470, secs => g.dice / 470 % 60)
        ) at time zone 'Asia/Shanghai' as time
      ) at
      order by at.time, g.source_code
    ) o`)
  await analyzeTables(tx, 'taken_of')
  const told = sql.raw(
    'id, bill_no, source_type, source_code, source_name, build_code, payer_kind, payer_id, payer_name, fee_item_id, fee_item_name, begin_date, end_date, due_date, receivable',
  )
  await tx.execute(
    sql`create temp table taken_part on commit drop as
      select o.record_id, o.day, o.pay_time, t.sum, b.*
      from taken t
      join taken_of o using (source_type, source_code, day)
      join (
        select ${told}
        from bill
        where owner_id = ${owner} and project_code = ${project}
        union all
        select ${told}
        from earlier
      ) b on b.id = t.bill_id`,
  )
  await analyzeTables(tx, 'taken_part')
  await tx.execute(sql`
    with r as (
      select record_id, min(source_name) as source_name, min(build_code) as build_code,
        min(payer_kind) as payer_kind, min(payer_id) as payer_id, min(payer_name) as payer_name
      from taken_part
      group by 1
    )
    insert into pay_record (
      owner_id, create_by, update_by, id, project_code, record_no, record_type, receipt_no, source_name,
      build_code, payer_kind, payer_id, payer_name, principal_amount, received_amount, pay_method, methods,
      pay_time, pay_day, cashier_id, cashier_name, state, create_time, update_time
    )
    select ${by}, o.record_id, ${project}::text, o.record_no, 10,
      o.year || '-' || lpad((coalesce(c.last, 0) + o.nth)::text, 6, '0'), r.source_name, r.build_code,
      r.payer_kind, r.payer_id, r.payer_name, o.sum, o.sum, o.method,
      jsonb_build_array(jsonb_build_object('method', o.way, 'amount', (o.sum * 100)::bigint)), o.pay_time,
      o.day, ${cashier.operatorId}::bigint, ${cashier.name}::text, 10, o.pay_time, o.pay_time
    from taken_of o
    join r using (record_id)
    left join receipt_counter c on c.owner_id = ${owner} and c.project_code = ${project} and c.year = o.year
  `)
  await tx.execute(
    sql`
      insert into receipt_counter (owner_id, project_code, year, last)
      select ${owner}::bigint, ${project}::text, year, count(*)
      from taken_of
      group by year
      on conflict (owner_id, project_code, year) do update set last = receipt_counter.last + excluded.last
    `,
  )
  await tx.execute(
    sql`
      insert into pay_line (owner_id, record_id, seq, method, amount)
      select ${owner}::bigint, record_id, 0, method, sum
      from taken_of
    `,
  )
  await tx.execute(sql`
    insert into pay_detail (
      owner_id, create_by, update_by, record_id, bill_id, bill_no, source_type, source_code, source_name,
      fee_item_id, fee_item_name, begin_date, end_date, principal, late_fee, create_time, update_time
    )
    select ${by}, record_id, id, bill_no, source_type, source_code, source_name, fee_item_id, fee_item_name,
      begin_date, end_date, sum, 0, pay_time, pay_time
    from taken_part
    order by record_id, due_date, id
  `)
  await tx.execute(
    sql`
      insert into bill_move (
        owner_id, bill_id, day, principal, late_fee, ref_type, ref_id, create_time, create_by
      )
      select ${owner}::bigint, id, day, sum, 0, 'pay', record_id, pay_time, ${cashier.operatorId}::bigint
      from taken_part
    `,
  )
  // One look at each bill of the engine's: when it was made, and what was paid of it. Rewriting one costs an
  // entry in each of its indexes.
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
      where b.owner_id = ${owner} and b.project_code = ${project}
    ) x
    where t.owner_id = ${owner} and t.id = x.id
  `)
  await writeEarlierBills(tx, cashier, project, sql`select id, sum, pay_time from taken_part`)
  await tx.execute(sql`
    update bill_month m
    set paid = x.paid
    from (
      select m.bill_id, m.month,
        div(p.sum * 100 * sum(m.receivable) over w, p.receivable) * 0.01 - div(
          p.sum * 100 * (sum(m.receivable) over w - m.receivable), p.receivable
        ) * 0.01 as paid
      from taken_part p
      join bill_month m on m.owner_id = ${owner} and m.bill_id = p.id
      window w as (partition by m.bill_id order by m.month)
    ) x
    where m.owner_id = ${owner} and m.bill_id = x.bill_id and m.month = x.month
  `)
}

const reasons = ['重复缴费，业主申请退回', '收错房间', '房屋已过户，多收一个月'] as const

/** Half a year at the desk of an estate: payments, refunds, the hand-over of each month, days closed. */
export async function seedPaymentHistory(
  database: Database,
  desk: CashierHistory,
  today: Day,
): Promise<void> {
  const { project, sequence, cashier, supervisor, keptUnpaid = 0, openDays = 1 } = desk
  const no = String(sequence + 1).padStart(4, '0')
  const owner = cashier.ownerId
  const begin = firstOfMonth(addMonths(today, -monthsBack))
  const last = firstOfMonth(addMonths(today, -1))
  const shut = addDays(today, -openDays - 1)
  await database.tx(owner, async tx => {
    await planEarlierBills(tx, cashier, project, today)
    await analyzeTables(tx, 'earlier')
    await tx.execute(
      sql`create temp table taken on commit drop as ${paidAtQuery(owner, project, keptUnpaid, last, addDays(today, -1))}`,
    )
    await analyzeTables(tx, 'taken')
    await payAll(tx, desk)
    // Another company beside this one may have said that these tables are small.
    await analyzeTables(tx, 'pay_record', 'pay_detail', 'pay_line')
    if (supervisor) {
      const some = await tx.rows<{ id: number; day: Day; month: string }>(
        sql`
          select distinct on (month) id, day, month
          from (
            select id, pay_day as day, to_char(pay_day, 'YYYY-MM') as month
            from pay_record
            where owner_id = ${owner}
              and project_code = ${project}
              and record_type = 10
              and pay_day < ${addDays(shut, -12)}::date
          ) r
          order by month, id % 97, id
        `,
      )
      for (const [i, { id, day }] of some.entries()) {
        await completeRefund(
          tx,
          cashier,
          supervisor,
          (
            await requestRefund(
              tx,
              cashier,
              project,
              id,
              reasons[i % reasons.length]!,
              `TKD${day.replaceAll('-', '')}${no}`,
            )
          ).id,
          `${addDays(day, 3)} 15:20:00`,
        )
      }
      for (let back = monthsBack; back > 0; back--) {
        const day = lastOfMonth(addMonths(today, -back))
        const until: Moment = `${day} 18:00:00`
        const s = await sumHandover(tx, owner, project, cashier.operatorId, until)
        if (!s.count) continue
        const h = await insert(tx, cashierHandover, cashier, {
          projectCode: project,
          handNo: `JZ${day.replaceAll('-', '')}${no}`,
          cashierId: cashier.operatorId,
          cashierName: cashier.name,
          beginTime: s.beginTime,
          endTime: until,
          methods: s.methods,
          totalReceived: s.totalReceived,
          totalRefund: s.totalRefund,
          cashAmount: s.cashAmount,
          handAmount: s.cashAmount,
          diff: 0,
          state: 'confirmed',
          confirmBy: supervisor.operatorId,
          confirmName: supervisor.name,
          confirmTime: `${addDays(day, 1)} 09:05:00`,
        })
        await tx.execute(
          sql`
            update pay_record
            set handover_id = ${h.id}
            where owner_id = ${owner}
              and project_code = ${project}
              and cashier_id = ${cashier.operatorId}
              and handover_id is null
              and pay_time <= ${until}
          `,
        )
      }
    }
    await rebuildDays(
      tx,
      owner,
      await tx.rows<{ project: string; day: Day }>(
        sql`
          select distinct project_code as project, pay_day as day
          from pay_record
          where owner_id = ${owner} and project_code = ${project}
        `,
      ),
    )
    await tx.execute(
      sql`
        insert into day_close (
          owner_id, create_by, update_by, project_code, day, close_name, close_time, closed
        )
        select ${owner}::bigint, ${(supervisor ?? cashier).operatorId}::bigint,
          ${(supervisor ?? cashier).operatorId}::bigint, ${project}::text, d::date, ${(supervisor ?? cashier).name}::text,
          (d::date + 1)::timestamp + interval '9 hours 10 minutes', true
        from generate_series(${begin}::date, ${shut}::date, interval '1 day') d
      `,
    )
  })
}
