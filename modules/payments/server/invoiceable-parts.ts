import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { formatYuan, parseYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { addInvoicedAmounts } from '#modules/bills/server/public.ts'
import { recordState, recordType } from '../contract/choices.ts'

type Fragment = RawBuilder<unknown>

/** Where prestore is invoiced: when it is topped up, or when it pays a bill (INV-2). */
export type PrestoreInvoiceTiming = 'topUp' | 'deduct'

/** `at` of a query over invoiceable parts, as SQL sees it. */
const timingCode: Readonly<Record<PrestoreInvoiceTiming, number>> = { topUp: 1, deduct: 2 }
const topUpTiming = sql.lit(timingCode.topUp)

/**
 * Records `t` of which something could be invoiced at all: money that came in through this system and did not
 * go back whole. Deposits only by what became income.
 */
export const invoiceableRecordFilter = (): Fragment =>
  sql`t.record_type in ${codes(recordType, 'payment', 'prestore', 'deduction')}
    and t.state <> ${code(recordState, 'voided')}
    and t.tendered_amount > 0
    and not t.is_history
    and ${notDeleted('t')}`

/** What a detail `d` still holds. */
const keptOfDetail = sql`d.principal + d.late_fee - d.refunded_principal - d.refunded_late_fee`

const invoiceableParts = sqlFile(import.meta.dirname, 'invoiceable-parts.sql', [
  'at',
  'deposit',
  'income',
  'invoiceable',
  'kept',
  'liveDetail',
  'liveRecord',
  'ownerId',
  'topUpTiming',
  'where',
])

/**
 * What may still be invoiced of the records `t` that `where` finds: one row per bill's part and one for money
 * kept as prestore (INV-1): paid − refunded − invoiced. `away` is the part that is no income here: what a
 * coupon paid, and what prestore paid where prestore is invoiced at its top-up. Refunds take from that part
 * first (REF-9), and it fills the details in their order. Of a deposit only what became income, found by the
 * day on which it did: `income` (INV-2).
 */
export const invoiceablePartsQuery = (
  ownerId: Id,
  where: Fragment,
  timing: Fragment,
  income = where,
): Fragment =>
  invoiceableParts({
    at: timing,
    deposit: code(recordType, 'deposit'),
    income,
    invoiceable: invoiceableRecordFilter(),
    kept: keptOfDetail,
    liveDetail: notDeleted('d'),
    liveRecord: notDeleted('t'),
    ownerId,
    topUpTiming,
    where,
  })

export interface InvoiceablePart {
  readonly recordId: Id
  readonly detailId?: Id
  readonly billId?: Id
  readonly sourceName: string
  readonly feeItemId?: Id
  readonly feeItemName: string
  readonly beginDate?: Day
  readonly endDate?: Day
  readonly paid: Fen
  readonly refunded: Fen
  readonly invoiced: Fen
  readonly open: Fen
  /** More is invoiced than was kept: a red invoice must take it back (REF-7). */
  readonly over: Fen
  /** For a deposit. */
  readonly income: boolean
}

/** The parts of some records; with `lock` until the transaction ends, so that no part is invoiced twice. */
export async function findInvoiceableParts(
  db: Db,
  ownerId: Id,
  records: readonly Id[],
  timing: PrestoreInvoiceTiming,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<InvoiceablePart[]> {
  const ids = [...new Set(records)].toSorted((a, b) => a - b)
  if (lock) {
    await db.rows(
      sql`
        select 1 as found
        from pay_record
        where owner_id = ${ownerId} and id = any(${ids})
        order by id
        for update
      `,
    )
    await db.rows(
      sql`
        select 1 as found
        from pay_detail
        where owner_id = ${ownerId} and record_id = any(${ids})
        order by id
        for update
      `,
    )
  }
  const rows = await db.rows<
    Omit<InvoiceablePart, 'paid' | 'refunded' | 'invoiced' | 'open' | 'over'> &
      Record<'paid' | 'refunded' | 'invoiced' | 'open' | 'over', string | number>
  >(
    sql`
      select p.*
      from (
        ${invoiceablePartsQuery(ownerId, sql`t.owner_id = ${ownerId} and t.id = any(${ids})`, sql`${timingCode[timing]}::int`)}
      ) p
      order by p.record_id, p.detail_id nulls last
    `,
  )
  const fen = (v: string | number): Fen => parseYuan(String(v))
  return rows.map(row => ({
    ...row,
    paid: fen(row.paid),
    refunded: fen(row.refunded),
    invoiced: fen(row.invoiced),
    open: fen(row.open),
    over: fen(row.over),
  }))
}

/** This amount of a deposit, received by the record, became income: it may be invoiced now (INV-2). */
export const recordIncome = (tx: Tx, ownerId: Id, record: Id, amount: Fen, at: Moment): Promise<number> =>
  tx.execute(
    sql`
      update pay_record
      set income_amount = income_amount + ${formatYuan(amount)}, income_time = ${at}, version = version + 1,
        update_time = ${at}::timestamptz
      where owner_id = ${ownerId} and id = ${record}
    `,
  )

export interface InvoicedPart {
  readonly recordId: Id
  readonly detailId?: Id | undefined
  readonly billId?: Id | undefined
  readonly amount: Fen
}

/**
 * Amounts go onto an invoice, or (negative) become invoiceable again: on details, records and bills. The
 * caller has locked the records by `findInvoiceableParts`.
 */
export async function recordInvoicedParts(
  tx: Tx,
  scope: Pick<Scope, 'ownerId' | 'time'>,
  parts: readonly InvoicedPart[],
): Promise<void> {
  const details = parts
    .filter(t => t.detailId !== undefined)
    .map(t => ({ id: t.detailId, amount: formatYuan(t.amount) }))
  const records = [...Map.groupBy(parts, t => t.recordId)].map(([id, recordParts]) => ({
    id,
    amount: formatYuan(sumFen(recordParts.map(t => t.amount))),
  }))
  const changedDetails = await tx.execute(
    sql`
      update pay_detail d
      set invoiced_amount = d.invoiced_amount + r.amount, version = d.version + 1,
        update_time = ${scope.time}::timestamptz
      from json_to_recordset(${JSON.stringify(details)}::json) as r(id bigint, amount numeric)
      where d.owner_id = ${scope.ownerId} and d.id = r.id
    `,
  )
  const changedRecords = await tx.execute(
    sql`
      update pay_record t
      set invoiced_amount = t.invoiced_amount + r.amount, version = t.version + 1,
        update_time = ${scope.time}::timestamptz
      from json_to_recordset(${JSON.stringify(records)}::json) as r(id bigint, amount numeric)
      where t.owner_id = ${scope.ownerId} and t.id = r.id
    `,
  )
  if (changedDetails !== details.length || changedRecords !== records.length)
    refuse('有收款已变动，请刷新后重试')
  await addInvoicedAmounts(
    tx,
    scope,
    parts.flatMap(t => (t.billId === undefined ? [] : [{ billId: t.billId, amount: t.amount }])),
  )
}
