import { codeOf, labelOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { findAll, tenantFilter } from '#kit/server/table.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { billSource } from '../contract/choices.ts'
import { listRedundantBills } from '../contract/list.ts'
import { findRedundantGroups, type LiveBill } from '../domain/redundant.ts'
import { presentBills } from './bill-query.ts'
import { activeStates } from './bill-states.ts'

const refundStates = { none: 'none', part: 'refunded', full: 'refunded' } as const

/** A live bill as the redundancy query and the import look at it. */
export const toLiveBill = (b: Bill): LiveBill => ({
  id: b.id,
  begin: b.beginDate,
  end: b.endDate,
  sourceType: b.sourceType,
  sourceCode: b.sourceCode,
  itemId: Number(b.feeItemId),
  amount: b.amount,
  source: b.billSource,
  paid: b.paidPrincipal,
  refund: refundStates[b.refundState],
  state: b.state === 'pending' ? 'pending' : 'normal',
  created: b.createTime ?? '',
})

const maxGroups = 500
const importedCondition = codeOf(billSource, 'imported')

export const redundantHandlers = [
  reads(
    listRedundantBills,
    async ({ projectCode, feeItemId, monthFrom, monthTo }, { db, scope, today, now }) => {
      // Candidates by the database: neighbours in the order of one object and item that overlap, and twins of
      // one month where an import had a hand. Which of them to abolish the rules say.
      const places = await db.rows<{
        projectCode: string
        sourceType: number
        sourceCode: string
        feeItemId: number
      }>(sql`
      select project_code, source_type, source_code, fee_item_id
      from (
        select t.project_code, t.source_type, t.source_code, t.fee_item_id,
          t.begin_date <= max(t.end_date) over (
            partition by t.project_code, t.source_type, t.source_code, t.fee_item_id
            order by t.begin_date, t.id rows between unbounded preceding and 1 preceding
          ) as touches,
          count(*) over twins > 1
            and bool_or(t.bill_source = ${sql.raw(String(importedCondition))}) over twins as doubled
        from bill t
        where ${tenantFilter(bill, scope, projectCode)}
          and t.state in ${activeStates}
          and t.parent_id is null ${feeItemId?.length ? sql`and t.fee_item_id = any(${feeItemId.map(Number)})` : sql``} ${monthFrom ? sql`and t.belong_month >= ${monthFrom}` : sql``} ${monthTo ? sql`and t.belong_month <= ${monthTo}` : sql``}
        window twins as (
          partition by t.project_code, t.source_type, t.source_code, t.fee_item_id, t.belong_month, t.amount
        )
      ) x
      where touches or doubled
      group by 1, 2, 3, 4
      order by 1, 2, 3, 4
      limit ${maxGroups + 1}
    `)
      const shownPlaces = places.slice(0, maxGroups)
      if (!shownPlaces.length) return { groups: 0, more: false, rows: [] }
      const found = await findAll(
        db,
        bill,
        scope,
        { order: 'sourceName,beginDate' },
        {
          limit: 20_000,
          where: [
            sql`t.state in ${activeStates}
            and t.parent_id is null
            and (t.project_code, t.source_type, t.source_code, t.fee_item_id) in (
              select *
              from unnest(
                ${shownPlaces.map(p => p.projectCode)}::text[], ${shownPlaces.map(p => p.sourceType)}::smallint[],
                ${shownPlaces.map(p => p.sourceCode)}::text[], ${shownPlaces.map(p => p.feeItemId)}::bigint[]
              )
            )`,
            ...(monthFrom ? [sql`t.belong_month >= ${monthFrom}`] : []),
            ...(monthTo ? [sql`t.belong_month <= ${monthTo}`] : []),
          ],
        },
      )
      const byId = new Map(presentBills(found, scope, today, now).map(b => [b.id, b]))
      const groups = findRedundantGroups(found.map(toLiveBill))
      return {
        groups: groups.length,
        more: places.length > maxGroups,
        rows: groups.flatMap((g, i) =>
          g.bills.map(groupBill => {
            const b = byId.get(groupBill.id)!
            const abolish = g.abolish.includes(groupBill.id)
            return {
              ...b,
              group: i + 1,
              abolish,
              why: abolish
                ? `${labelOf(billSource, groupBill.source)}，未缴且出账较晚，建议作废`
                : groupBill.paid > 0
                  ? `${labelOf(billSource, groupBill.source)}，已有缴费，保留`
                  : `${labelOf(billSource, groupBill.source)}，最早出账，保留`,
            }
          }),
        ),
      } as never
    },
  ),
]
