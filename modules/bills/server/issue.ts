import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Dec } from '#kit/domain/decimal.ts'
import { formatYuan, type Fen } from '#kit/domain/money.ts'
import { monthOf } from '#kit/domain/month.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { companyContacts } from '#modules/companies/server/public.ts'
import { feeType, payerSide, sourceType } from '#modules/fees/contract/choices.ts'
import type { FeeItem } from '#modules/fees/contract/item.ts'
import { mayOverlap, payerSideOf, type Payer, type Snapshot, type SourceType } from '#modules/fees/server/public.ts'
import { residentContacts } from '#modules/residents/server/public.ts'
import { billSource, billState } from '../contract/choices.ts'
import { spread } from '../domain/months.ts'

/** A bill that is about to be written. */
export interface Fresh {
  readonly billNo: string
  readonly sourceType: SourceType
  readonly sourceCode: string
  readonly sourceName: string
  readonly buildCode?: string | undefined
  readonly payer?: Payer | undefined
  readonly item: Pick<FeeItem, 'id' | 'name' | 'feeType' | 'allowMulti'>
  readonly standardId?: number | undefined
  readonly relationId?: number | undefined
  readonly begin: Day
  readonly end: Day
  readonly amount: Fen
  readonly dueDate: Day
  readonly quantity?: Dec | undefined
  readonly price?: Dec | undefined
  readonly snapshot?: Snapshot | undefined
  readonly reading?: { readonly id: number; readonly last?: Dec | undefined; readonly current: Dec; readonly multiplier: Dec } | undefined
  readonly pool?: number | undefined
  /** Beside others of its item though the item does not allow it: a correction (SHR-5). */
  readonly runFree?: boolean | undefined
  readonly replaces?: number | undefined
  readonly remark?: string | undefined
}
/** What all bills of one statement share. */
export interface Lot { readonly project: string; readonly batchNo: string; readonly source: ChoiceOf<typeof billSource>; readonly state: 'pending' | 'normal'; readonly isPre?: boolean }

export type Contacts = ReadonlyMap<Payer, { readonly name: string; readonly mobile?: string; readonly openId?: string; readonly openSince?: string }>
/** How payers are called now: bills keep it (C3.1). */
export async function contactsOf(db: Db, owner: number, payers: Iterable<Payer | undefined>): Promise<Contacts> {
  const all = [...new Set([...payers].filter(p => p !== undefined))]
  const [people, firms] = await Promise.all([residentContacts(db, owner, all.filter(p => p > 0)), companyContacts(db, owner, all.filter(p => p < 0).map(p => -p))])
  return new Map([...people.map(p => [p.id, p] as const), ...firms.map(f => [-f.id, f] as const)])
}

const columns = `bill_no text, source_type smallint, source_code text, source_name text, build_code text, payer_kind smallint, payer_id integer, payer_name text, payer_mobile text, fee_item_id bigint, fee_item_name text, standard_id bigint, relation_id bigint,
  fee_type smallint, begin_date date, end_date date, belong_month text, qty numeric, price numeric, last_num numeric, cur_num numeric, multiple numeric, calc_snapshot jsonb, amount numeric, due_date date, ref_type text, ref_id integer, replaces_bill_id bigint, remark text, run_free boolean, bill_source smallint`
const names = sql.raw(columns.split(',').map(c => c.trim().split(' ')[0]).join(', '))
const cyclic: ReadonlySet<FeeItem['feeType']> = new Set(['cyclic', 'monthCard'])

function rowOf(b: Fresh, contacts: Contacts, lot: Lot): object {
  const p = b.payer === undefined ? undefined : payerSideOf(b.payer), who = b.payer === undefined ? undefined : contacts.get(b.payer), r = b.reading
  return {
    bill_no: b.billNo, source_type: codeOf(sourceType, b.sourceType), source_code: b.sourceCode, source_name: b.sourceName, build_code: b.buildCode,
    payer_kind: p && codeOf(payerSide, p.kind), payer_id: p?.id, payer_name: who?.name, payer_mobile: who?.mobile, fee_item_id: b.item.id, fee_item_name: b.item.name, standard_id: b.standardId, relation_id: b.relationId,
    fee_type: codeOf(feeType, b.item.feeType), begin_date: b.begin, end_date: b.end, belong_month: monthOf(b.begin), qty: b.quantity, price: b.price, last_num: r?.last, cur_num: r?.current, multiple: r?.multiplier,
    calc_snapshot: b.snapshot, amount: formatYuan(b.amount), due_date: b.dueDate, ref_type: r ? 'reading' : b.pool === undefined ? undefined : 'pool', ref_id: r?.id ?? b.pool, replaces_bill_id: b.replaces, remark: b.remark, run_free: b.runFree || mayOverlap(b.item), bill_source: codeOf(billSource, r ? 'metered' : lot.source),
    // month, days, amount: nothing is let off or paid yet (STAT-2)
    months: spread(b, { receivable: b.amount, discount: 0, paid: 0 }, cyclic.has(b.item.feeType)).map(m => [m.month, m.days, formatYuan(m.receivable)]),
  }
}
/**
 * Writes bills, and the months of those that count already (待审核 ones get theirs when audited), all in one statement (it must not run twice for one set: `bill_overlap`, `bill_relation_once` and `bill_reading_once` refuse).
 * Answers their ids by number. `run_root` is given so that no trigger runs for each row.
 */
export async function issueBills(tx: Tx, scope: Pick<Scope, 'ownerId' | 'operatorId'>, lot: Lot, bills: readonly Fresh[], contacts: Contacts): Promise<ReadonlyMap<string, number>> {
  if (!bills.length) return new Map()
  const { ownerId: owner, operatorId: by } = scope
  const made = await tx.rows<{ id: number; billNo: string }>(sql`with r as materialized (select nextval('bill_id_seq') as id, x.* from json_to_recordset(${JSON.stringify(bills.map(b => rowOf(b, contacts, lot)))}::json) as x(${sql.raw(columns)}, months json)),
    m as (insert into bill_month (owner_id, bill_id, month, project_code, fee_item_id, days, receivable, discount, paid)
      select ${owner}::bigint, r.id, e ->> 0, ${lot.project}, r.fee_item_id, (e ->> 1)::int, (e ->> 2)::numeric, 0, 0 from r cross join json_array_elements(r.months) as e where ${lot.state === 'normal'}::boolean)
    insert into bill (owner_id, id, run_root, project_code, batch_no, state, is_pre, create_by, update_by, ${names})
      select ${owner}::bigint, id, id, ${lot.project}, ${lot.batchNo}, ${codeOf(billState, lot.state)}::smallint, ${lot.isPre ?? false}::boolean, ${by}::bigint, ${by}::bigint, ${names} from r returning id, bill_no`)
  return new Map(made.map(m => [m.billNo, m.id]))
}
