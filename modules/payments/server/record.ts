import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import { parseYuan, subtractFen, sumFen } from '#kit/domain/money.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import {
  filterConditions,
  keywordCondition,
  requireById,
  findPage,
  notStruckOutFilter,
  readOrder,
  tenantFilter,
} from '#kit/server/table.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { payMethod, recordState, recordType } from '../contract/choices.ts'
import { isOffset } from '../domain/tender-sums.ts'
import {
  listRecords,
  listTrades,
  getRecord,
  payDetail,
  payRecord,
  recordFilters,
  recordSums,
  summarizeRecords,
  tradeRow,
  type PayDetail,
  type PayRecord,
} from '../contract/record.ts'
import { exportTrades } from '../contract/import-export.ts'

const notStruckOut = notStruckOutFilter(payRecord.fields)

/** Columns of the list of lines that it is sorted by, of the line or of its record. */
const tradeOrders: Readonly<Record<string, string>> = {
  payTime: 't.pay_time',
  recordNo: 't.record_no',
  receiptNo: 't.receipt_no',
  payerName: 't.payer_name',
  cashierName: 't.cashier_name',
  sourceName: 'd.source_name',
  feeItemName: 'd.fee_item_name',
  beginDate: 'd.begin_date',
  endDate: 'd.end_date',
  principal: 'd.principal',
  lateFee: 'd.late_fee',
}

const isDeposit = sql`t.record_type = ${code(recordType, 'deposit')}`
/** The principal of a line `d` of record `t`, and what it holds as a deposit: one of them is zero. */
export const tradePrincipal = sql`(case when ${isDeposit} then 0 else d.principal end)`
export const tradeDeposit = sql`(case when ${isDeposit} then d.principal else 0 end)`

/** The terms that are asked, each with its comma; the newest payment comes first among equals. */
function orderOfTrades(order: string | undefined) {
  const terms = readOrder(tradeRow, Object.keys(tradeOrders), order)
  return sql.join(
    terms.map(({ key, isDescending }) =>
      sql.raw(`${tradeOrders[key]} ${isDescending ? 'desc' : 'asc'} nulls last, `),
    ),
    sql``,
  )
}

export type RecordQuery = NonNullable<typeof listRecords.input.T>
export const plainFiltersOf = ({
  recordId: _,
  roomCode: __,
  billId: ___,
  feeItem: ____,
  offset: _____,
  ...q
}: RecordQuery) => q

/**
 * Conditions of a search beyond the plain filters: the object, the bill or the item of its details. The same
 * for list, totals and export.
 */
export const recordConditions = (owner: Id, q: RecordQuery) => {
  const searched = [
    ...(q.roomCode ? [sql`d.source_code = ${q.roomCode}`] : []),
    ...(q.billId ? [sql`d.bill_id = ${q.billId}`] : []),
    ...(q.feeItem ? [sql`d.fee_item_id = ${q.feeItem}`] : []),
  ]
  const offset = sql`(t.prestore_amount <> 0 or t.coupon_amount <> 0)`
  return [
    ...(q.recordId === undefined ? [] : [sql`t.id = ${q.recordId}`]),
    ...(searched.length
      ? [
          sql`t.id in (
            select d.record_id
            from pay_detail d
            where d.owner_id = ${owner} and ${sql.join(searched, sql` and `)}
          )`,
        ]
      : []),
    ...(q.offset === undefined ? [] : [q.offset ? offset : sql`not ${offset}`]),
  ]
}

/** The details of a record that the search is about. */
export const detailConditions = (q: RecordQuery, alias: string) => {
  const d = sql.raw(alias)
  return [
    ...(q.feeItem ? [sql`${d}.fee_item_id = ${q.feeItem}`] : []),
    ...(q.billId ? [sql`${d}.bill_id = ${q.billId}`] : []),
    ...(q.roomCode ? [sql`${d}.source_code = ${q.roomCode}`] : []),
  ]
}

/** Records `t` that a search for trades finds; voided ones where state or record asks for them. */
export const tradeRecordFilter = (scope: Scope, q: RecordQuery) =>
  sql.join(
    [
      tenantFilter(payRecord, scope, q.projectCode),
      ...filterConditions(payRecord, plainFiltersOf(q), recordFilters),
      ...keywordCondition(payRecord, q.keyword),
      ...recordConditions(scope.ownerId, q),
      ...(q.state || q.recordId !== undefined ? [] : [sql`t.state <> ${code(recordState, 'voided')}`]),
    ],
    sql` and `,
  )

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
  owner: Id,
  record: Id,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<PayDetail[]> =>
  (
    await db.rows<Record<string, unknown>>(
      sql`
        select *
        from pay_detail
        where owner_id = ${owner} and record_id = ${record} and ${notDeleted()}
        order by id ${lock ? sql`for update` : sql``}
      `,
    )
  ).map(r => toEntityRow(payDetail, r))

export const recordHandlers = [
  reads(listRecords, async (q, { db, scope }) => {
    const found = await findPage(db, payRecord, scope, plainFiltersOf(q), {
      filters: recordFilters,
      where: recordConditions(scope.ownerId, q),
      sums: recordSums,
    })
    return { ...found, rows: await withDayClosed(db, scope, found.rows) }
  }),
  reads(getRecord, async ({ id }, { db, scope }) => {
    const [r] = await withDayClosed(db, scope, [await requireById(db, payRecord, scope, id)])
    return { ...defined(r), details: await findDetails(db, scope.ownerId, id) }
  }),
  reads(summarizeRecords, async (q, { db, scope }) => {
    const condition = sql.join(
      [
        tenantFilter(payRecord, scope, q.projectCode),
        ...filterConditions(payRecord, plainFiltersOf(q), recordFilters),
        ...keywordCondition(payRecord, q.keyword),
        ...recordConditions(scope.ownerId, q),
        sql`t.state <> ${code(recordState, 'voided')}`,
      ],
      sql` and `,
    )
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
      where ${condition}
      group by 1
      order by 1
    `)
    const count = defined(
      await db.one<{ n: number }>(sql`select count(*)::int as n from pay_record t where ${condition}`),
    ).n
    const all = lines.map(m => ({
      method: defined(keyOf(payMethod, m.method)),
      count: m.count,
      received: parseYuan(m.received),
      refunded: parseYuan(m.refunded),
    }))
    const methods = all.filter(m => !isOffset(m.method))
    const received = sumFen(methods.map(m => m.received))
    const refunded = sumFen(methods.map(m => m.refunded))
    const offset = sumFen(all.filter(m => isOffset(m.method)).map(m => subtractFen(m.received, m.refunded)))
    return { count, received, refunded, net: subtractFen(received, refunded), offset, methods }
  }),
  reads(listTrades, async (q, { db, scope }) => {
    const condition = sql.join([tradeRecordFilter(scope, q), ...detailConditions(q, 'd')], sql` and `)
    const size = Math.min(q.size ?? 10, 2000)
    const from = sql`from pay_record t
      join pay_detail d on d.owner_id = ${scope.ownerId} and d.record_id = t.id and ${notDeleted('d')}
      where ${condition}`
    const [list, [sum]] = await db.all<
      [Record<string, unknown>, { total: number; principal: string; deposit: string; late: string }]
    >(
      sql`
        select d.*, ${tradePrincipal} as principal, ${tradeDeposit} as deposit,
          t.record_no, t.receipt_no, t.pay_time, t.pay_method, t.payer_name, t.cashier_name, t.record_type, t.state
        ${from}
        order by ${orderOfTrades(q.order)} t.pay_time desc, t.id desc, d.id
        limit ${size} offset ${((q.page ?? 1) - 1) * size}
      `,
      sql`
        select count(*)::int as total,
          coalesce(sum(${tradePrincipal})${notStruckOut}, 0)::text as principal,
          coalesce(sum(${tradeDeposit})${notStruckOut}, 0)::text as deposit,
          coalesce(sum(d.late_fee)${notStruckOut}, 0)::text as late ${from}
      `,
    )
    return {
      total: defined(sum).total,
      sum: {
        principal: parseYuan(defined(sum).principal),
        deposit: parseYuan(defined(sum).deposit),
        lateFee: parseYuan(defined(sum).late),
      },
      rows: list.map(r => toEntityRow(exportTrades.entity, r)),
    }
  }),
]
