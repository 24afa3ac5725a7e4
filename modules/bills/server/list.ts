import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import { addFen, parseYuan, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { type Day, addDays } from '#kit/domain/day.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { reads } from '#kit/server/handler.ts'
import { findByIds, findPage, notStruckOutFilter, tenantFilter } from '#kit/server/table.ts'
import { notDeleted, code, naturalOrder } from '#kit/server/sql.ts'
import { sourceType, payerSide } from '#modules/fees/contract/choices.ts'
import { bill, billAdjust } from '../contract/bill.ts'
import { billAge, adjustType, billState, payState } from '../contract/choices.ts'
import {
  findBillsBySource,
  listCompanyBills,
  listBills,
  getBillLogStatistics,
  listBillSources,
  getBillSummary,
} from '../contract/list.ts'
import { listAdjusts } from '../contract/bill-detail.ts'
import { computeLateFees } from './late-fee.ts'
import {
  maxSourceCandidates,
  rankSources,
  sourceLevel,
  sourceTypeOf,
  type SourceRow,
} from './source-ranking.ts'
import { billCondition, billQuery, cashierKeywordCondition, presentBills } from './bill-query.ts'

const parseFen = (yuan: string | number | undefined): Fen => parseYuan(String(yuan ?? '0'))
const sumKeys = defined(listBills.output.sums)
const notStruckOut = notStruckOutFilter(bill.fields)

/** First overdue day of each age (AGE-1), from the youngest. */
const ageFirstDays = [1, 31, 61, 91, 181, 366, 731, 1096]

/** By how much the late fees of these bills have grown since they were last computed. */
async function computeLateFeeIncrease(
  db: Db,
  scope: Scope,
  billIds: readonly Id[],
  today: Day,
): Promise<ReadonlyMap<number, Fen>> {
  if (!billIds.length) return new Map()
  const rows = await findByIds(db, bill, scope, billIds.slice(0, 5000))
  const late = await computeLateFees(db, scope.ownerId, rows, today)
  return new Map(rows.map(r => [r.id, subtractFen(defined(late.get(r.id)), r.lateFeeDue)]))
}

export const listHandlers = [
  reads(listBills, async (filter, { db, scope, today, now }) => {
    const { q, find } = billQuery(scope.ownerId, filter, today, now)
    const found = await findPage(db, bill, scope, q, { ...find, sums: sumKeys })
    return { ...found, rows: presentBills(found.rows, today, now) }
  }),
  reads(listCompanyBills, async ({ companyId, ...filter }, { db, scope, today, now }) => {
    const { q: query, find } = billQuery(scope.ownerId, filter, today, now)
    const ofCompany = sql`(
      t.payer_kind = ${code(payerSide, 'company')}
      and t.payer_id = ${companyId}
      or t.source_type = ${code(sourceType, 'company')}
      and t.source_code = (
        select c.company_no from company c where c.owner_id = ${scope.ownerId} and c.id = ${companyId}
      )
    )`
    const found = await findPage(db, bill, scope, query, {
      ...find,
      where: [...find.where, ofCompany],
      sums: sumKeys,
    })
    return { ...found, rows: presentBills(found.rows, today, now) }
  }),
  reads(getBillSummary, async (query, { db, scope, today, now }) => {
    const where = billCondition(scope, query, today, now)
    const bounds = ageFirstDays.map(n => addDays(today, -n))
    const [[all], byAge] = await db.all<
      [
        {
          count: number
          households: number
          amount: string
          discount: string
          receivable: string
          paid: string
          late: string
          unpaid: string
        },
        { age: number; count: number; sum: string },
      ]
    >(
      sql`
        select count(*) as count, count(distinct (t.source_type, t.source_code)) as households,
          (sum(t.amount)${notStruckOut})::text as amount,
          (sum(t.discount_amount)${notStruckOut})::text as discount,
          (sum(t.receivable)${notStruckOut})::text as receivable,
          (sum(t.paid_principal)${notStruckOut})::text as paid,
          (sum(t.late_fee_unpaid)${notStruckOut})::text as late, (sum(t.unpaid)${notStruckOut})::text as unpaid
        from bill t
        where ${where}
      `,
      sql`
        select ${sql.join(
          bounds.map(d => sql`(t.due_date <= ${d}::date)::int`),
          sql` + `,
        )} as age,
          count(*) as count, sum(t.unpaid)::text as sum
        from bill t
        where ${where}
          and t.pay_state = ${code(payState, 'unpaid')}
          and t.state = ${code(billState, 'normal')}
        group by 1
        order by 1
      `,
    )
    const overdue = byAge.filter(a => a.age > 0)
    return {
      count: defined(all).count,
      households: defined(all).households,
      amount: parseFen(defined(all).amount),
      discount: parseFen(defined(all).discount),
      receivable: parseFen(defined(all).receivable),
      paid: parseFen(defined(all).paid),
      lateFee: parseFen(defined(all).late),
      unpaid: parseFen(defined(all).unpaid),
      overdue: {
        count: overdue.reduce((n, a) => n + a.count, 0),
        sum: sumFen(overdue.map(a => parseFen(a.sum))),
      },
      ages: byAge.map(a => ({ age: defined(keyOf(billAge, a.age)), count: a.count, sum: parseFen(a.sum) })),
    }
  }),
  reads(getBillLogStatistics, async (query, { db, scope, today, now }) =>
    (
      await db.rows<{
        type: number
        count: number
        bills: number
        sum: string
      }>(sql`
        select a.adjust_type as type, count(*) as count, count(distinct a.bill_id) as bills,
          (sum(a.amount)${notStruckOut})::text as sum
        from bill t
        join bill_adjust a on a.owner_id = ${scope.ownerId} and a.bill_id = t.id and ${notDeleted('a')}
        where ${billCondition(scope, query, today, now)}
        group by 1
        order by 1
      `)
    ).map(row => ({
      adjustType: defined(keyOf(adjustType, row.type)),
      count: row.count,
      bills: row.bills,
      sum: parseFen(row.sum),
    })),
  ),
  reads(listBillSources, async (query, { db, scope, today, now }) =>
    (
      await db.rows<{
        sourceType: number
        sourceCode: string
        sourceName: string
        projectCode: string
        buildCode?: string
        count: number
        unpaid: string
      }>(sql`
        select t.source_type, t.source_code, t.project_code, max(t.source_name) as source_name,
          max(t.build_code) as build_code, count(*) as count,
          (sum(t.unpaid)${notStruckOut})::text as unpaid
        from bill t
        where ${billCondition(scope, query, today, now)}
        group by 1, 2, 3
        order by ${naturalOrder(sql`max(t.source_name)`)}, t.source_code
        limit ${Math.min(query.size ?? 200, 200)}
        offset ${((query.page ?? 1) - 1) * Math.min(query.size ?? 200, 200)}
      `)
    ).map(r => ({ ...r, sourceType: sourceTypeOf(r.sourceType), unpaid: parseFen(r.unpaid) })),
  ),
  reads(listAdjusts, async ({ billId, ...query }, { db, scope }) => {
    const ofBill = sql`t.bill_id in (
      select t.id
      from bill t
      where ${tenantFilter(bill, scope)} ${billId === undefined ? sql`` : sql`and t.id = ${billId}`}
    )`
    return findPage(db, billAdjust, scope, query, {
      filters: defined(listAdjusts.input.filters),
      sums: defined(listAdjusts.output.sums),
      where: [ofBill],
    })
  }),
  reads(findBillsBySource, async ({ keyword, projectCode }, { db, scope, today }) => {
    const where = sql`${tenantFilter(bill, scope, projectCode)}
      and t.state = ${code(billState, 'normal')}
      and t.pay_state = ${code(payState, 'unpaid')}
      and ${cashierKeywordCondition(scope.ownerId, keyword, projectCode)}`
    const candidates = await db.rows<SourceRow>(sql`
        select *
        from (
          select t.project_code, t.source_type, t.source_code, max(t.source_name) as source_name,
            max(t.build_code) as build_code, max(t.payer_name) as payer_name,
            max(t.payer_mobile) as payer_mobile, count(*) as count,
            count(*) filter (where t.due_date < ${today}) as overdue, min(t.due_date) as earliest,
            sum(t.unpaid_principal)::text as principal, sum(t.late_fee_unpaid)::text as late_fee,
            array_agg(t.id) filter (
              where t.due_date < ${today}
              and t.late_day is distinct from ${today}::date
              and not t.late_fee_manual
              and coalesce(s.late_fee_switch, i.late_fee_switch)
            ) as stale,
            count(*) over () as total, (sum(sum(t.unpaid)) over ())::text as whole
          from bill t
          join fee_item i on i.owner_id = ${scope.ownerId} and i.id = t.fee_item_id
          left join fee_standard s on s.owner_id = ${scope.ownerId} and s.id = t.standard_id
          where ${where}
          group by 1, 2, 3
        ) f
        order by ${sourceLevel(keyword)}, source_name, source_code
        limit ${sql.lit(maxSourceCandidates)}
      `)
    const found = rankSources(keyword, candidates)
    // Late fees that the nightly job has not refreshed today are computed here (LATE-12).
    const lateFeeIncrease = await computeLateFeeIncrease(
      db,
      scope,
      found.flatMap(f => f.stale ?? []),
      today,
    )
    const sources = found.map(({ total: _total, whole: _whole, stale: old, ...row }) => {
      const principal = parseFen(row.principal)
      const lateFee = addFen(parseFen(row.lateFee), ...(old ?? []).map(id => lateFeeIncrease.get(id) ?? 0))
      return {
        ...row,
        sourceType: sourceTypeOf(row.sourceType),
        principal,
        lateFee,
        unpaid: addFen(principal, lateFee),
      }
    })
    return {
      total: found[0]?.total ?? 0,
      unpaid: addFen(parseFen(found[0]?.whole), ...lateFeeIncrease.values()),
      sources,
    }
  }),
]
