import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { findAll, tenantFilter } from '#kit/server/table.ts'
import { type Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { billSource } from '../contract/choices.ts'
import { listRedundantBills } from '../contract/list.ts'
import { findRedundantGroups, type EffectiveBill } from '../domain/redundant.ts'
import { presentBills } from './bill-query.ts'
import { activeStates } from './bill-states.ts'

const refundStates = { none: 'none', part: 'refunded', full: 'refunded' } as const

/** An effective bill as the rules for redundant bills and for imports need it. */
export const toEffectiveBill = (billRow: Bill): EffectiveBill => ({
  id: billRow.id,
  begin: billRow.beginDate,
  end: billRow.endDate,
  sourceType: billRow.sourceType,
  sourceCode: billRow.sourceCode,
  itemId: parseId(billRow.feeItemId),
  amount: billRow.amount,
  source: billRow.billSource,
  paid: billRow.paidPrincipal,
  refund: refundStates[billRow.refundState],
  state: billRow.state === 'pending' ? 'pending' : 'normal',
  created: billRow.createTime ?? '',
})

const maxGroups = 500

interface Place {
  readonly projectCode: string
  readonly sourceType: number
  readonly sourceCode: string
  readonly feeItemId: Id
}

type RedundantQuery = NonNullable<typeof listRedundantBills.input.T>

/**
 * Objects and items that may have redundant bills: bills that overlap an earlier one, and bills of equal
 * month and amount of which one was imported. The rules decide which of them are redundant (BILL-6).
 */
const findCandidates = (
  db: Db,
  scope: Scope,
  { projectCode, feeItemId, monthFrom, monthTo }: RedundantQuery,
): Promise<Place[]> =>
  db.rows<Place>(sql`
    select project_code, source_type, source_code, fee_item_id
    from (
      select t.project_code, t.source_type, t.source_code, t.fee_item_id,
        t.begin_date <= max(t.end_date) over (
          partition by t.project_code, t.source_type, t.source_code, t.fee_item_id
          order by t.begin_date, t.id rows between unbounded preceding and 1 preceding
        ) as overlaps_earlier,
        count(*) over same_amount > 1
          and bool_or(t.bill_source = ${code(billSource, 'imported')}) over same_amount as is_repeated
      from bill t
      where ${tenantFilter(bill, scope, projectCode)}
        and t.state in ${activeStates}
        and t.parent_id is null
        ${feeItemId?.length ? sql`and t.fee_item_id = any(${feeItemId.map(Number)})` : sql``}
        ${monthFrom ? sql`and t.belong_month >= ${monthFrom}` : sql``}
        ${monthTo ? sql`and t.belong_month <= ${monthTo}` : sql``}
      window same_amount as (
        partition by t.project_code, t.source_type, t.source_code, t.fee_item_id, t.belong_month, t.amount
      )
    ) x
    where overlaps_earlier or is_repeated
    group by 1, 2, 3, 4
    order by 1, 2, 3, 4
    limit ${maxGroups + 1}
  `)

const findBillsAt = (
  db: Db,
  scope: Scope,
  places: readonly Place[],
  { monthFrom, monthTo }: RedundantQuery,
): Promise<Bill[]> =>
  findAll(
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
              ${places.map(p => p.projectCode)}::text[], ${places.map(p => p.sourceType)}::smallint[],
              ${places.map(p => p.sourceCode)}::text[], ${places.map(p => p.feeItemId)}::bigint[]
            )
          )`,
        ...(monthFrom ? [sql`t.belong_month >= ${monthFrom}`] : []),
        ...(monthTo ? [sql`t.belong_month <= ${monthTo}`] : []),
      ],
    },
  )

function adviceText(b: EffectiveBill, abolish: boolean): string {
  const source = labelOf(billSource, b.source)
  if (abolish) return `${source}，未缴且出账较晚，建议作废`
  return b.paid > 0 ? `${source}，已有缴费，保留` : `${source}，最早出账，保留`
}

export const redundantHandlers = [
  reads(listRedundantBills, async (query, { db, scope, today, now }) => {
    const candidates = await findCandidates(db, scope, query)
    const places = candidates.slice(0, maxGroups)
    if (!places.length) return { groups: 0, hasMore: false, rows: [] }
    const found = await findBillsAt(db, scope, places, query)
    const billById = new Map(presentBills(found, today, now).map(b => [b.id, b]))
    const groups = findRedundantGroups(found.map(toEffectiveBill))
    return {
      groups: groups.length,
      hasMore: candidates.length > maxGroups,
      rows: groups.flatMap((group, i) =>
        group.bills.map(b => {
          const abolish = group.abolish.includes(b.id)
          return { ...defined(billById.get(b.id)), group: i + 1, abolish, why: adviceText(b, abolish) }
        }),
      ),
    }
  }),
]
