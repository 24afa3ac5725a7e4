import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import { asFen, parseYuan, type Fen } from '#kit/domain/money.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { notStruckOutFilter, readOrder } from '#kit/server/table.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { payMethod, recordType } from '../contract/choices.ts'
import { listTrades, payRecord, tradeLine, tradeRow } from '../contract/record.ts'
import { mainTender, type RecordTender } from '../domain/tender-sums.ts'
import { findLineAmounts, sumTrades } from './method-sums.ts'
import { selectPaidParts } from './paid-parts.ts'
import { detailConditions, tradeRecordFilter } from './record-conditions.ts'

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
const tradePrincipal = sql`(case when ${isDeposit} then 0 else d.principal end)`
const tradeDeposit = sql`(case when ${isDeposit} then d.principal else 0 end)`

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

/** What each of some details of some records was paid by: the tenders in their order (PAY-15). */
export async function findTendersByDetail(
  db: Db,
  ownerId: Id,
  records: readonly Id[],
): Promise<ReadonlyMap<Id, readonly RecordTender[]>> {
  if (!records.length) return new Map()
  const parts = await db.rows<{ detailId: Id; method: number; amount: string }>(sql`
    select p.detail_id, p.method, sum(p.side * p.amount)::text as amount
    from (
      ${selectPaidParts(ownerId, sql`select x as id from unnest(${[...new Set(records)]}::bigint[]) as x`)}
    ) p
    where p.detail_id is not null
    group by 1, 2
    order by 1, 2
  `)
  const tenders = parts.map(({ detailId, method, amount }) => ({
    detailId: parseId(detailId),
    method: defined(keyOf(payMethod, method)),
    amount: parseYuan(amount),
  }))
  return Map.groupBy(tenders, tender => tender.detailId)
}

/** What a line says of how it was paid; one that got nothing, how its record was. */
export function describeLineTenders(
  tenders: readonly RecordTender[] | undefined,
  recordMethod: RecordTender['method'],
): { readonly payMethod: RecordTender['method']; readonly methods: readonly RecordTender[] } {
  const methods = tenders ?? [{ method: recordMethod, amount: asFen(0) }]
  return { payMethod: mainTender(methods)?.method ?? recordMethod, methods }
}

/** A line with the amounts that the methods of the filter paid of it, if that is not all. */
const countedPart = <
  L extends { readonly recordType: string; readonly principal: Fen; readonly deposit: Fen },
>(
  line: L,
  part: { readonly principal: Fen; readonly lateFee: Fen } | undefined,
): L => {
  if (!part) return line
  return line.recordType === 'deposit'
    ? { ...line, deposit: part.principal, lateFee: part.lateFee }
    : { ...line, ...part }
}

export const tradeHandlers = [
  reads(listTrades, async (query, { db, scope: { ownerId }, scope }) => {
    const size = Math.min(query.size ?? 10, 2000)
    const condition = sql.join(
      [tradeRecordFilter(scope, query), ...detailConditions(ownerId, query, 'd')],
      sql` and `,
    )
    const from = sql`from pay_record t
      join pay_detail d on d.owner_id = ${ownerId} and d.record_id = t.id and ${notDeleted('d')}
      where ${condition}`
    const [list, [sum]] = await db.all<
      [Record<string, unknown>, { total: number; principal: string; deposit: string; late: string }]
    >(
      sql`
        select d.*, ${tradePrincipal} as principal, ${tradeDeposit} as deposit,
          t.record_no, t.receipt_no, t.pay_time, t.pay_method, t.methods, t.payer_name, t.cashier_name,
          t.record_type, t.state
        ${from}
        order by ${orderOfTrades(query.order)} t.pay_time desc, t.id desc, d.id
        limit ${size} offset ${((query.page ?? 1) - 1) * size}
      `,
      sql`
        select count(*)::int as total,
          coalesce(sum(${tradePrincipal})${notStruckOut}, 0)::text as principal,
          coalesce(sum(${tradeDeposit})${notStruckOut}, 0)::text as deposit,
          coalesce(sum(d.late_fee)${notStruckOut}, 0)::text as late ${from}
      `,
    )
    const whole = list.map(r => toEntityRow(tradeLine.entity, r))
    const recordIds = whole.map(r => r.recordId)
    const tendersByDetail = await findTendersByDetail(db, ownerId, recordIds)
    const amountsById = await findLineAmounts(db, ownerId, recordIds, query.payMethod)
    const rows = whole.map(r => countedPart(r, amountsById.get(r.id)))
    return {
      total: defined(sum).total,
      sum: query.payMethod?.length
        ? await sumTrades(db, ownerId, sql`select d.id ${from}`, query.payMethod)
        : {
            principal: parseYuan(defined(sum).principal),
            deposit: parseYuan(defined(sum).deposit),
            lateFee: parseYuan(defined(sum).late),
          },
      rows: rows.map(r => ({ ...r, ...describeLineTenders(tendersByDetail.get(r.id), r.payMethod) })),
    }
  }),
]
