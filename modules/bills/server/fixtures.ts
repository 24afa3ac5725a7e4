import type { Id } from '#kit/domain/id.ts'
import { asFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'

export { seedFeeItem } from '#db/golden/seed-fee-item.ts'

/** A bill that tests insert without the generator: what is left out is a plain house fee of 300.00. */
export interface SeededBill {
  readonly source?: string
  readonly name?: string
  readonly build?: string
  readonly begin?: string
  readonly end?: string
  readonly due?: string
  readonly amount?: Fen
  readonly discount?: Fen
  readonly paid?: Fen
  readonly item?: Id
  readonly state?: number
  readonly billSource?: number
  readonly payer?: number
  readonly payerName?: string
  readonly mobile?: string
  readonly free?: boolean
  readonly relation?: Id
  readonly type?: number
  readonly reading?: Id
  readonly batch?: string
  readonly project?: string
  readonly snapshot?: object
}

let billCounter = 0

export async function seedBillRows(
  tx: Tx,
  ownerId: Id,
  item: Id,
  list: readonly SeededBill[],
): Promise<Id[]> {
  const rows = list.map(b => {
    const begin = b.begin ?? '2026-07-01'
    const end = b.end ?? '2026-09-30'
    const amount = b.amount ?? asFen(30_000)
    const paid = b.paid ?? 0
    return {
      bill_no: `ZD2026112199${String(++billCounter).padStart(4, '0')}`,
      project_code: b.project ?? 'GOLD0001',
      source_type: b.type ?? 10,
      source_code: b.source ?? `S${billCounter}`,
      source_name: b.name ?? '1-1-101',
      build_code: b.build ?? 'B1',
      fee_item_id: b.item ?? item,
      begin_date: begin,
      end_date: end,
      belong_month: begin.slice(0, 7),
      amount: formatYuan(amount),
      discount_amount: formatYuan(b.discount ?? 0),
      paid_principal: formatYuan(paid),
      due_date: b.due ?? '2026-07-31',
      state: b.state ?? 20,
      pay_state: paid >= amount - (b.discount ?? 0) ? 1 : 0,
      bill_source: b.billSource ?? 10,
      payer_id: b.payer,
      payer_name: b.payerName,
      payer_mobile: b.mobile,
      payer_kind: b.payer === undefined ? undefined : 1,
      run_free: b.free ?? false,
      relation_id: b.relation,
      ref_type: b.reading === undefined ? undefined : 'reading',
      ref_id: b.reading,
      batch_no: b.batch,
      calc_snapshot: b.snapshot,
    }
  })
  return (
    await tx.rows<{
      id: Id
    }>(sql`
      insert into bill (
        owner_id, fee_item_name, fee_type, bill_no, project_code, source_type, source_code, source_name,
        build_code, fee_item_id, begin_date, end_date, belong_month, amount, discount_amount,
        paid_principal, due_date, state, pay_state, bill_source, payer_id, payer_name, payer_mobile,
        payer_kind, run_free, relation_id, ref_type, ref_id, batch_no, calc_snapshot
      )
      select ${ownerId}::bigint, i.name, i.fee_type, r.*
      from json_to_recordset(${JSON.stringify(rows)}::json) as r(
        bill_no text, project_code text, source_type smallint, source_code text, source_name text,
        build_code text, fee_item_id bigint, begin_date date, end_date date, belong_month text,
        amount numeric, discount_amount numeric, paid_principal numeric, due_date date, state smallint,
        pay_state smallint, bill_source smallint, payer_id integer, payer_name text, payer_mobile text,
        payer_kind smallint, run_free boolean, relation_id bigint, ref_type text, ref_id integer,
        batch_no text, calc_snapshot jsonb
      )
      join fee_item i on i.owner_id = ${ownerId} and i.id = r.fee_item_id
      returning id
    `)
  ).map(r => r.id)
}
