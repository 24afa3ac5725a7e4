import { defined } from '#kit/domain/defined.ts'
import { parseYuan } from '#kit/domain/money.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { filterConditions, keywordCondition, tenantFilter } from '#kit/server/table.ts'
import { payRecord } from '#modules/payments/contract/record.ts'
import { invoiceablePartsQuery, methodConditions } from '#modules/payments/server/public.ts'
import { listWaitingPayments } from '../contract/invoicing.ts'

type Sql = RawBuilder<unknown>
type WaitingQuery = NonNullable<typeof listWaitingPayments.input.T>

const waitingFilters = ['recordType', 'payTime', 'payDay', 'buildCode'] as const
const maxPageSize = 2000

const recordCondition = (scope: Scope, { payMethod, ...query }: WaitingQuery): Sql =>
  sql.join(
    [
      tenantFilter(payRecord, scope, query.projectCode),
      ...filterConditions(payRecord, query, waitingFilters),
      ...keywordCondition(payRecord, scope.ownerId, query.keyword),
      ...methodConditions(scope.ownerId, payMethod),
    ],
    sql` and `,
  )

/** A deposit is found by the day on which it became income, not by that on which it was received. */
const incomeCondition = (scope: Scope, { payDayFrom, payDayTo, ...query }: WaitingQuery): Sql =>
  sql.join(
    [
      recordCondition(scope, query),
      ...(payDayFrom
        ? [sql`t.income_time >= ${payDayFrom}::date::timestamp at time zone 'Asia/Shanghai'`]
        : []),
      ...(payDayTo
        ? [sql`t.income_time < (${payDayTo}::date + 1)::timestamp at time zone 'Asia/Shanghai'`]
        : []),
    ],
    sql` and `,
  )

/** The open amount of each record, as the CTE `open`. */
function selectOpenRecords(scope: Scope, { feeItem, ...query }: WaitingQuery): Sql {
  // All settings of a company invoice prestore in one place (INV-2).
  const prestoreModeQuery = sql`(
    select s.prestore_mode
    from invoice_set s
    where s.owner_id = ${scope.ownerId} and ${notDeleted('s')}
    limit 1
  )`
  const parts = invoiceablePartsQuery(
    scope.ownerId,
    recordCondition(scope, query),
    prestoreModeQuery,
    incomeCondition(scope, query),
  )
  return sql`
    with open as materialized (
      select p.record_id, sum(p.open) as open
      from (${parts}) p
      where p.open > 0 ${feeItem ? sql`and p.fee_item_id = ${feeItem}` : sql``}
      group by 1
    )
  `
}

export const listWaitingPaymentsHandler = reads(listWaitingPayments, async (query, { db, scope }) => {
  const size = Math.min(query.size ?? 10, maxPageSize)
  const openRecords = selectOpenRecords(scope, query)
  const [rows, [totals]] = await db.all<
    [{ readonly openAmount: string } & Record<string, unknown>, { total: number; open: string }]
  >(
    sql`${openRecords}
      select t.*, o.open::text as open_amount
      from open o
      join pay_record t on t.owner_id = ${scope.ownerId} and t.id = o.record_id
      order by coalesce(t.income_time, t.pay_time) desc, t.id desc
      limit ${size} offset ${((query.page ?? 1) - 1) * size}`,
    sql`${openRecords} select count(*)::int as total, coalesce(sum(open), 0)::text as open from open`,
  )
  return {
    total: defined(totals).total,
    sum: { openAmount: parseYuan(defined(totals).open) },
    rows: rows.map(row => ({ ...toEntityRow(payRecord, row), openAmount: parseYuan(row.openAmount) })),
  }
})
