import { codeOf } from '#kit/contract/field.ts'
import { formatYuan, parseYuan, type Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { live } from '#kit/server/sql.ts'
import { addInvoicedAmounts } from '#modules/bills/server/public.ts'
import { recordState, recordType } from '../contract/choices.ts'

type Sql = RawBuilder<any>

/** Where prestore is invoiced: when it is topped up, or when it pays a bill (INV-2). */
export type PrestoreInvoiceTiming = 'topUp' | 'deduct'
const invoiceableTypes = (['payment', 'prestore', 'deduction'] as const).map(t =>
  Number(codeOf(recordType, t)),
)
const voidedState = Number(codeOf(recordState, 'voided'))
const depositType = sql.raw(String(codeOf(recordType, 'deposit')))

/**
 * Records `t` of which something could be invoiced at all: money that came in through this system, not taken
 * back whole. Deposits never are, but for what became income.
 */
export const invoiceableRecordFilter = (): Sql =>
  sql`t.record_type = any(${invoiceableTypes}::int[])
    and t.state <> ${voidedState}
    and t.received_amount > 0
    and not t.is_history
    and ${live('t')}`

/**
 * What may still be invoiced of the records `t` that `where` finds, one row per bill's part and one for money
 * kept as prestore (INV-1): paid − refunded − invoiced. A part paid by a coupon is no income; one paid by
 * prestore counts only where prestore is invoiced as it is spent. What goes back goes back from those first
 * (REF-9). Of a deposit only what became income, found by the day on which it did: `income` (INV-2).
 */
export const invoiceablePartsQuery = (where: Sql, at: Sql, income = where): Sql => sql`
  select x.*, greatest(0, x.paid - x.refunded - x.away - x.invoiced) as open,
    greatest(0, x.invoiced - (x.paid - x.refunded - x.away)) as over
  from (
    select t.id as record_id, d.id as detail_id, d.bill_id, d.source_name, d.fee_item_id, d.fee_item_name,
      d.begin_date, d.end_date, d.principal + d.late_fee as paid,
      d.refunded_principal + d.refunded_late_fee as refunded, d.invoiced_amount as invoiced,
      greatest(
        0,
        least(
          d.principal + d.late_fee - d.refunded_principal - d.refunded_late_fee,
          t.coupon_amount + case
            when ${at} = 1 then t.prestore_amount
            else 0
            end - t.refunded_amount - (
              sum(
                d.principal + d.late_fee - d.refunded_principal - d.refunded_late_fee
              ) over (partition by d.owner_id, d.record_id order by d.id) - (d.principal + d.late_fee - d.refunded_principal - d.refunded_late_fee)
            )
        )
      ) as away,
      false as income
    from pay_record t
    join pay_detail d on d.owner_id = t.owner_id and d.record_id = t.id and ${live('d')}
    where ${where} and ${invoiceableRecordFilter()}
    union all
    select t.id, null, null, t.source_name, null, '预存充值', null, null, t.to_prestore, 0,
      t.invoiced_amount - (
        select coalesce(sum(d.invoiced_amount), 0)
        from pay_detail d
        where d.owner_id = t.owner_id and d.record_id = t.id
      ),
      0, false
    from pay_record t
    where ${where} and ${invoiceableRecordFilter()} and t.to_prestore > 0 and ${at} = 1
    union all
    select t.id, null, null, t.source_name, null, '押金转收入', null, null, t.income_amount, 0,
      t.invoiced_amount, 0, true
    from pay_record t
    where ${income} and t.record_type = ${depositType} and t.income_amount > 0 and ${live('t')}
  ) x
`

export interface InvoiceablePart {
  readonly recordId: number
  readonly detailId?: number
  readonly billId?: number
  readonly sourceName: string
  readonly feeItemId?: number
  readonly feeItemName: string
  readonly beginDate?: string
  readonly endDate?: string
  readonly paid: Fen
  readonly refunded: Fen
  readonly invoiced: Fen
  readonly open: Fen
  /** More is invoiced than was kept: to be taken back in red (REF-7). */ readonly over: Fen
  /** Of a deposit. */ readonly income: boolean
}

/**
 * Of some records; with `lock` they stay as they are until the transaction ends: whoever comes second sees
 * what the first has taken.
 */
export async function findInvoiceableParts(
  db: Db,
  owner: number,
  records: readonly number[],
  at: PrestoreInvoiceTiming,
  lock = false,
): Promise<InvoiceablePart[]> {
  const ids = [...new Set(records)].sort((a, b) => a - b)
  if (lock) {
    await db.rows(
      sql`select 1 as x from pay_record where owner_id = ${owner} and id = any(${ids}) order by id for update`,
    )
    await db.rows(
      sql`
        select 1 as x
        from pay_detail
        where owner_id = ${owner} and record_id = any(${ids})
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
        ${invoiceablePartsQuery(sql`t.owner_id = ${owner} and t.id = any(${ids})`, sql`${at === 'topUp' ? 1 : 2}::int`)}
      ) p
      order by p.record_id, p.detail_id nulls last
    `,
  )
  const fen = (v: string | number): Fen => parseYuan(String(v))
  return rows.map(r => ({
    ...r,
    paid: fen(r.paid),
    refunded: fen(r.refunded),
    invoiced: fen(r.invoiced),
    open: fen(r.open),
    over: fen(r.over),
  }))
}

/** So much of a deposit, received by this record, became income: it may be invoiced from now on (INV-2). */
export const recordIncome = (
  tx: Tx,
  owner: number,
  record: number,
  amount: Fen,
  at: Moment,
): Promise<number> =>
  tx.execute(
    sql`
      update pay_record
      set income_amount = income_amount + ${formatYuan(amount)}, income_time = ${at}, version = version + 1,
        update_time = now()
      where owner_id = ${owner} and id = ${record}
    `,
  )

export interface InvoicedPart {
  readonly recordId: number
  readonly detailId?: number | undefined
  readonly billId?: number | undefined
  readonly amount: Fen
}

/**
 * Amounts go onto an invoice, or (negative) become invoiceable again: on the bills' parts, the records and
 * the bills. The records must have been locked by `findInvoiceableParts`.
 */
export async function recordInvoicedParts(
  tx: Tx,
  owner: number,
  list: readonly InvoicedPart[],
): Promise<void> {
  const details = list
    .filter(t => t.detailId !== undefined)
    .map(t => ({ id: t.detailId, amount: formatYuan(t.amount) }))
  const records = [...Map.groupBy(list, t => t.recordId)].map(([id, all]) => ({
    id,
    amount: formatYuan(all.reduce((n, t) => n + t.amount, 0)),
  }))
  const a = await tx.execute(
    sql`
      update pay_detail d
      set invoiced_amount = d.invoiced_amount + r.amount, version = d.version + 1, update_time = now()
      from json_to_recordset(${JSON.stringify(details)}::json) as r(id bigint, amount numeric)
      where d.owner_id = ${owner} and d.id = r.id
    `,
  )
  const b = await tx.execute(
    sql`
      update pay_record t
      set invoiced_amount = t.invoiced_amount + r.amount, version = t.version + 1, update_time = now()
      from json_to_recordset(${JSON.stringify(records)}::json) as r(id bigint, amount numeric)
      where t.owner_id = ${owner} and t.id = r.id
    `,
  )
  if (a !== details.length || b !== records.length) refuse('有收款已变动，请刷新后重试')
  await addInvoicedAmounts(
    tx,
    owner,
    list.flatMap(t => (t.billId === undefined ? [] : [{ billId: t.billId, amount: t.amount }])),
  )
}
