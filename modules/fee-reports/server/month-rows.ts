import type { Day } from '#kit/domain/day.ts'
import { firstDay, lastDay, shiftMonth, type Month } from '#kit/domain/month.ts'
import { sql } from '#kit/server/db.ts'
import { live, code } from '#kit/server/sql.ts'
import type { Sql } from './report.ts'
import { billState, adjustType, payState } from '#modules/bills/contract/choices.ts'

/**
 * The share of a paid sum that falls on a bill's months up to s1, less those up to s0: floors of the running
 * total in whole fen, as `spread` does it (STAT-2).
 */
const shareOfPaid = (paid: Sql): Sql =>
  sql`case
    when x.s = 0 then 0
    else (div(greatest(${paid}, 0) * 100 * x.s1, x.s) - div(greatest(${paid}, 0) * 100 * x.s0, x.s)) * 0.01
    end`

/**
 * CLO-4 as a statement: principal of one month by project, building and item, from bill_month and bill_move.
 * What was paid by the first and by the last day of the month is what is paid now less what moved since; only
 * bills that moved since are spread anew. Uses bill_move_day, bill_month_report, bill_aside. `mine`: a
 * condition on bills `b`. `byBill`: a row for each bill, as the last column; what was carried over has none.
 * Bills as they are now: what was changed later is changed in its own month, unless that month was carried
 * over.
 */
export function selectMonthRows(
  owner: number,
  month: Month,
  today: Day,
  mine: Sql = sql`true`,
  byBill = false,
): Sql {
  const one = (said: string): Sql => (byBill ? sql.raw(`, ${said}`) : sql``)
  const first = firstDay(month)
  const last = lastDay(month)
  const old = sql`r.month < ${month}`
  const now = sql`r.month = ${month}`
  const gone0 = sql`coalesce(r.off < ${first}::date, false)`
  const gone1 = sql`coalesce(r.off <= ${last}::date, false)`
  const sum = (n: Sql, where: Sql): Sql => sql`coalesce(sum(${n}) filter (where ${where}), 0)`
  /** The day on which a bill was written off; nothing says it of those that came so. */
  const off = sql`case
    when b.state = ${code(billState, 'writtenOff')} then least(
      coalesce(
        (
          select max((a.create_time at time zone 'Asia/Shanghai')::date)
          from bill_adjust a
          where a.owner_id = ${owner}
            and a.bill_id = b.id
            and a.adjust_type = ${code(adjustType, 'writeOff')}
            and ${live('a')}
        ),
        '-infinity'
      ),
      ${today}::date
    )
    end`
  const place = sql`b.project_code, b.build_code, m.fee_item_id, m.month${one('b.id as bill_id')}`
  const counted = sql`b.owner_id = ${owner} and ${live('b')} and ${mine}`
  // Every figure is linear in what was paid at both ends of the month: all rows as they are now, then the few
  // that moved since as differences to it. No join can multiply.
  return sql`
    with mv as materialized (
      select v.bill_id, sum(v.principal) as since,
        coalesce(sum(v.principal) filter (where v.day > ${last}::date), 0) as later
      from bill_move v
      where v.owner_id = ${owner} and v.day >= ${first}::date
      group by 1
    ),
      r as (
        select ${place}, m.receivable as due, m.discount as off_price, m.paid as was, m.paid as is_now,
          m.paid, null::date as off
        from bill_month m
        join bill b on b.id = m.bill_id
        where m.owner_id = ${owner} and b.state <> ${code(billState, 'writtenOff')} and ${counted}
        union all
        select ${place}, m.receivable, m.discount, m.paid, m.paid, m.paid, ${off}
        from bill b
        join bill_month m on m.owner_id = ${owner} and m.bill_id = b.id
        where b.state = ${code(billState, 'writtenOff')} and ${counted}
        union all
        select x.project_code, x.build_code, x.fee_item_id, x.month${one('x.bill_id')}, 0, 0,
          ${shareOfPaid(sql`x.total - x.since`)} - x.paid, ${shareOfPaid(sql`x.total - x.later`)} - x.paid,
          0, x.off
        from (
          select ${place}, m.paid, b.paid_principal as total, v.since, v.later, ${off} as off,
            sum(m.receivable) over w as s1, sum(m.receivable) over w - m.receivable as s0,
            sum(m.receivable) over (partition by m.bill_id) as s
          from mv v
          join bill b on b.id = v.bill_id and ${counted}
          join bill_month m on m.owner_id = ${owner} and m.bill_id = v.bill_id
          window w as (partition by m.bill_id order by m.month)
        ) x
      ),
      f as (
        select r.project_code, r.build_code, r.fee_item_id${one('r.bill_id')},
          ${sum(sql`r.due - r.was`, sql`${old} and not ${gone0}`)} as opening,
          ${sum(sql`r.due + r.off_price`, now)} as billed, ${sum(sql`r.off_price`, now)} as discount,
          ${sum(sql`r.was`, now)} as paid_before, ${sum(sql`r.is_now - r.was`, now)} as received,
          ${sum(sql`r.is_now - r.was`, sql`${old} and not ${gone0}`)} as recovered,
          ${sum(
            sql`r.due - r.is_now`,
            sql`${gone1}
        and (${now} or (${old} and not ${gone0}))`,
          )} as written_off,
          ${sum(
            sql`r.due - r.is_now`,
            sql`not ${gone1}
          and (${old} or ${now})`,
          )} as closing,
          ${sum(sql`r.is_now - r.was`, sql`r.month > ${month}`)} as prepaid,
          ${sum(sql`r.paid - r.is_now`, now)} as paid_after
        from r
        group by 1, 2, 3${one('4')}
      ),
      k as (
        select b.project_code, b.build_code, b.fee_item_id, b.closing
        from fee_month b
        where b.owner_id = ${owner}
          and b.month = ${shiftMonth(month, -1)}
          and b.kept
          and ${live('b')}
          and ${mine}
      ),
      u as (
        select f.project_code, f.build_code, f.fee_item_id${one('f.bill_id')},
          case when p.carried then 0 else f.opening end as opening,
          case when p.carried then f.opening else 0 end as adjusted, f.billed, f.discount, f.paid_before,
          f.received, f.recovered, f.written_off, f.closing, f.prepaid, f.paid_after
        from f
        cross join lateral (
          select exists (select 1 from k where k.project_code = f.project_code) as carried
        ) p
        union all
        select k.project_code, k.build_code, k.fee_item_id${one('null')}, k.closing, -k.closing, 0, 0, 0, 0,
          0, 0, 0, 0, 0
        from k
      )
    select ${owner}::bigint as owner_id, u.project_code, ${month}::text as month, u.build_code,
      u.fee_item_id, sum(u.opening) as opening, sum(u.adjusted) as adjusted, sum(u.billed) as billed,
      sum(u.discount) as discount, sum(u.paid_before) as paid_before, sum(u.received) as received,
      sum(u.recovered) as recovered, sum(u.written_off) as written_off, sum(u.closing) as closing,
      sum(u.prepaid) as prepaid, sum(u.paid_after) as paid_after${one('u.bill_id')}
    from u
    group by 2, 4, 5${one('u.bill_id')}
  `
}

/** In the order of the table. */
export const monthColumns = sql.raw(
  'owner_id, project_code, month, build_code, fee_item_id, opening, adjusted, billed, discount, paid_before, received, recovered, written_off, closing, prepaid, paid_after',
)

/** First overdue day of each age, from the youngest (AGE-1). */
export const ageStartDays = [1, 31, 61, 91, 181, 366, 731, 1096] as const

/** Which age a bill has on a day, as the number of AGE-1's table. */
export const ageExpression = (today: Day, due: Sql): Sql =>
  sql`(${sql.join(
    ageStartDays.map(n => sql`(${due} <= ${today}::date - ${sql.raw(String(n))})::int`),
    sql` + `,
  )})`

/**
 * Households with a due bill of the month, those of them with none unpaid (STAT-7), and unpaid bills by age;
 * by project and building.
 */
export function selectCollectionRows(owner: number, month: Month, today: Day, mine: Sql = sql`true`): Sql {
  const until = lastDay(month) < today ? lastDay(month) : today
  const each = [0, ...ageStartDays.map((_, i) => i + 1)]
  return sql`
    with h as (
      select project_code, build_code, count(*)::int as households,
        count(*) filter (where open = 0)::int as clear
      from (
        select b.project_code, b.build_code,
          count(*) filter (where b.pay_state = ${code(payState, 'unpaid')}) as open
        from bill b
        join fee_item i on i.owner_id = ${owner} and i.id = b.fee_item_id and i.in_rate
        where b.owner_id = ${owner}
          and b.belong_month = ${month}
          and b.state = ${code(billState, 'normal')}
          and ${live('b')}
          and b.due_date <= ${until}::date
          and ${mine}
        group by b.project_code, b.build_code, b.source_type, b.source_code
      ) s
      group by 1, 2
    ),
      a as (
        select project_code, build_code,
          array[
            ${sql.join(each.map(n => sql`count(*) filter (where age = ${sql.raw(String(n))})::int`))}
          ] as counts,
          array[
            ${sql.join(
              each.map(
                n => sql`coalesce(
      sum(unpaid_principal) filter (where age = ${sql.raw(String(n))}), 0
    )`,
              ),
            )}
          ]::numeric(14,2)[] as sums
        from (
          select b.project_code, b.build_code, b.unpaid_principal,
            ${ageExpression(today, sql`b.due_date`)} as age
          from bill b
          where b.owner_id = ${owner}
            and ${live('b')}
            and b.state = ${code(billState, 'normal')}
            and b.pay_state = ${code(payState, 'unpaid')}
            and ${mine}
        ) s
        group by 1, 2
      )
    select ${owner}::bigint as owner_id, coalesce(h.project_code, a.project_code) as project_code,
      ${month}::text as month, coalesce(h.build_code, a.build_code) as build_code,
      coalesce(h.households, 0) as households, coalesce(h.clear, 0) as clear,
      coalesce(a.counts, ${sql.raw(`array[${each.map(() => 0).join(',')}]`)}) as age_counts,
      coalesce(a.sums, ${sql.raw(`array[${each.map(() => 0).join(',')}]::numeric(14,2)[]`)}) as age_sums
    from h
    full join a on a.project_code = h.project_code
      and coalesce(a.build_code, '') = coalesce(h.build_code, '')
  `
}
