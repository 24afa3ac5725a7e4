import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import { parseYuan, subtractFen, sumFen } from '#kit/domain/money.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findPage, requireById } from '#kit/server/table.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { payMethod, recordState } from '../contract/choices.ts'
import { isOffset } from '../domain/tender-sums.ts'
import {
  listRecords,
  getRecord,
  payDetail,
  payRecord,
  recordFilters,
  recordSums,
  summarizeRecords,
  type PayDetail,
  type PayRecord,
} from '../contract/record.ts'
import { sumRecordsByMethod, withAmountsByMethod } from './method-sums.ts'
import { isPaidBy } from './paid-parts.ts'
import { plainFiltersOf, recordConditions, recordFilter } from './record-conditions.ts'

/** Records with the mark whether their day is closed. */
export async function withDayClosed(
  db: Db,
  scope: Scope,
  list: readonly PayRecord[],
): Promise<readonly PayRecord[]> {
  if (!list.length) return list
  const closedDays = new Set(
    (
      await db.rows<{ k: string }>(
        sql`
          select distinct project_code || '/' || day::text as k
          from day_close
          where owner_id = ${scope.ownerId}
            and closed
            and ${notDeleted()}
            and day = any(${[...new Set(list.map(r => r.payDay))]}::date[])
        `,
      )
    ).map(r => r.k),
  )
  return list.map(r => ({ ...r, dayClosed: closedDays.has(`${r.projectCode}/${r.payDay}`) }))
}

export const findDetails = async (
  db: Db,
  ownerId: Id,
  record: Id,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<PayDetail[]> =>
  (
    await db.rows<Record<string, unknown>>(
      sql`
        select *
        from pay_detail
        where owner_id = ${ownerId} and record_id = ${record} and ${notDeleted()}
        order by id ${lock ? sql`for update` : sql``}
      `,
    )
  ).map(r => toEntityRow(payDetail, r))

export const recordHandlers = [
  reads(listRecords, async (query, { db, scope }) => {
    const found = await findPage(db, payRecord, scope, plainFiltersOf(query), {
      filters: recordFilters,
      where: recordConditions(scope.ownerId, query),
      sums: query.payMethod?.length ? [] : recordSums,
    })
    const isSummedByMethod = query.payMethod?.length && query.part !== 'rows'
    const sum = isSummedByMethod
      ? await sumRecordsByMethod(db, scope.ownerId, recordFilter(scope, query), query.payMethod)
      : found.sum
    const rows = await withAmountsByMethod(db, scope.ownerId, found.rows, query.payMethod)
    return { ...found, ...(sum ? { sum } : {}), rows: await withDayClosed(db, scope, rows) }
  }),
  reads(getRecord, async ({ id }, { db, scope }) => {
    const [r] = await withDayClosed(db, scope, [await requireById(db, payRecord, scope, id)])
    return { ...defined(r), details: await findDetails(db, scope.ownerId, id) }
  }),
  reads(summarizeRecords, async (query, { db, scope }) => {
    const condition = sql`${recordFilter(scope, query)} and t.state <> ${code(recordState, 'voided')}`
    const lines = await db.rows<{
      method: number
      count: number
      received: string
      refunded: string
    }>(sql`
      select l.method, count(distinct t.id)::int as count,
        coalesce(sum(l.amount) filter (where l.amount > 0), 0)::text as received,
        coalesce(-sum(l.amount) filter (where l.amount < 0), 0)::text as refunded
      from pay_record t
      join pay_line l on l.owner_id = ${scope.ownerId} and l.record_id = t.id
      where ${condition} ${query.payMethod?.length ? sql`and ${isPaidBy(sql`l.method`, query.payMethod)}` : sql``}
      group by 1
      order by 1
    `)
    const count = defined(
      await db.one<{ n: number }>(sql`select count(*)::int as n from pay_record t where ${condition}`),
    ).n
    const all = lines.map(line => ({
      method: defined(keyOf(payMethod, line.method)),
      count: line.count,
      received: parseYuan(line.received),
      refunded: parseYuan(line.refunded),
    }))
    const methods = all.filter(m => !isOffset(m.method))
    const received = sumFen(methods.map(m => m.received))
    const refunded = sumFen(methods.map(m => m.refunded))
    const offset = sumFen(all.filter(m => isOffset(m.method)).map(m => subtractFen(m.received, m.refunded)))
    return { count, received, refunded, net: subtractFen(received, refunded), offset, methods }
  }),
]
