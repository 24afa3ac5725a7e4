import type { Day } from '#kit/domain/day.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { live, code } from '#kit/server/sql.ts'
import type { Sql } from './report.ts'
import { recordState, recordType } from '#modules/payments/contract/choices.ts'

/**
 * Records of days as rows of the day summary, unsummed (CLO-1). A record is two rulers of one length: what it
 * was for (principal and late fee of each bill, then the rest) and how it was paid; a row is where a piece of
 * one lies over a piece of the other, so each fen is counted once and none is rounded. `days`: a set `p
 * (project_code, day, shut)`; of a shut day only history. Uses pay_record_report.
 */
const selectRecordParts = (owner: number, days: Sql): Sql => sql`
  with p as (${days}),
    r as (
      select r.owner_id, r.id, r.project_code, r.pay_day, r.build_code, r.cashier_id, r.cashier_name,
        r.record_type, r.to_prestore, r.is_history
      from p
      join pay_record r on r.owner_id = ${owner}
        and r.project_code = p.project_code
        and r.pay_day = p.day
        and r.state <> ${code(recordState, 'voided')}
        and ${live('r')}
        and (r.is_history or not p.shut)
    ),
    way as materialized (
      select r.id, l.method, sign(l.amount) as side, abs(l.amount) as n,
        sum(abs(l.amount)) over (partition by r.id order by l.seq) as till
      from r
      join pay_line l on l.owner_id = ${owner} and l.record_id = r.id
      where l.amount <> 0
    ),
    bill_part as (
      select r.id, d.id * 2 + k.odd as place, case k.odd when 0 then 10 else 20 end as kind,
        d.fee_item_id as item, d.fee_item_name as name,
        abs(case k.odd when 0 then d.principal else d.late_fee end) as n
      from r
      join pay_detail d on d.owner_id = ${owner} and d.record_id = r.id and ${live('d')}
      cross join (values (0), (1)) k(odd)
    ),
    rest as (
      select r.id, 9223372036854775807 as place,
        case
          when r.record_type = ${code(recordType, 'deposit')} then 40
          when r.to_prestore <> 0 or r.record_type = ${code(recordType, 'prestore')} then 30
          else 90
          end as kind,
        null::bigint as item, null::text as name, w.n - coalesce(b.n, 0) as n
      from r
      join (select id, max(till) as n from way group by id) w on w.id = r.id
      left join (select id, sum(n) as n from bill_part group by id) b on b.id = r.id
    ),
    part as materialized (
      select x.*, sum(x.n) over (partition by x.id order by x.place) as till
      from (select * from bill_part where n > 0 union all select * from rest where n > 0) x
    )
  select r.owner_id, r.project_code, r.pay_day as day, r.build_code, r.cashier_id, r.cashier_name,
    part.kind::smallint as kind, part.item as fee_item_id, part.name as fee_item_name, way.method,
    r.is_history as history, way.side,
    least(part.till, way.till) - greatest(part.till - part.n, way.till - way.n) as n
  from r
  join way on way.id = r.id
  join part on part.id = r.id and part.till - part.n < way.till and way.till - way.n < part.till
`

/** The rows of the summary for such days. */
export const selectDayRows = (owner: number, days: Sql): Sql => sql`
  select owner_id, project_code, day, build_code, cashier_id, max(cashier_name) as cashier_name, kind,
    fee_item_id, max(fee_item_name) as fee_item_name, method, history, count(*)::int as count,
    coalesce(sum(n) filter (where side > 0), 0) as received,
    coalesce(sum(n) filter (where side < 0), 0) as refunded, sum(n * side) as net
  from (${selectRecordParts(owner, days)}) c
  group by owner_id, project_code, day, build_code, cashier_id, kind, fee_item_id, method, history
`

/** A closed day keeps its rows once it has them (CLO-2); what is entered as history later still comes in. */
export const isDayKept = (owner: number, project: Sql, day: Sql): Sql =>
  sql`(
    exists (
      select 1
      from day_close c
      where c.owner_id = ${owner}
        and c.project_code = ${project}
        and c.day = ${day}
        and c.closed
        and ${live('c')}
    )
    and exists (
      select 1
      from fc_summary f
      where f.owner_id = ${owner} and f.project_code = ${project} and f.day = ${day} and not f.history
    )
  )`

export interface TillDay {
  readonly project: string
  readonly day: Day
}

/**
 * Makes the summary of days anew from their records; running it again changes nothing (CLO-2). One at a time
 * for a day of a project, days in one order, so that the closing of one estate never waits for another's; a
 * few hundred at most, each holds a lock. What a till adds meanwhile leaves its own mark in fc_pending, which
 * is taken away here before the records are read.
 */
export async function rebuildDays(tx: Tx, owner: number, days: readonly TillDay[]): Promise<number> {
  if (!days.length) return 0
  const locks = [...new Set(days.map(d => `fc_summary ${d.project} ${d.day}`))].toSorted()
  await tx.rows(
    sql`select pg_advisory_xact_lock(hashtextextended(x, ${owner})) from unnest(${locks}::text[]) as x`,
  )
  const set = sql`
    select *
    from unnest(
      ${days.map(d => d.project)}::text[], ${days.map(d => d.day)}::date[]
    ) as x(project_code, day)
  `
  await tx.execute(
    sql`
      delete
      from fc_pending p
      using (${set}) x
      where p.owner_id = ${owner} and p.project_code = x.project_code and p.day = x.day
    `,
  )
  // Whether a day is shut is asked once: its rows are about to go.
  const known = await tx.rows<{ project: string; day: Day; shut: boolean }>(
    sql`
      select x.project_code as project, x.day, ${isDayKept(owner, sql`x.project_code`, sql`x.day`)} as shut
      from (${set}) x
    `,
  )
  const days2 = sql`
    select *
    from unnest(
      ${known.map(d => d.project)}::text[], ${known.map(d => d.day)}::date[],
      ${known.map(d => d.shut)}::boolean[]
    ) as x(project_code, day, shut)
  `
  await tx.execute(
    sql`
      delete
      from fc_summary s
      using (${days2}) x
      where s.owner_id = ${owner}
        and s.project_code = x.project_code
        and s.day = x.day
        and (s.history or not x.shut)
    `,
  )
  return tx.execute(sql`
    insert into fc_summary (
      owner_id, project_code, day, build_code, cashier_id, cashier_name, kind, fee_item_id, fee_item_name,
      method, history, count, received, refunded
    )
    select owner_id, project_code, day, build_code, cashier_id, cashier_name, kind, fee_item_id,
      fee_item_name, method, history, count, received, refunded
    from (${selectDayRows(owner, days2)}) s
    returning 1
  `)
}
