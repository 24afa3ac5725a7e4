import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { formatYuan } from '#kit/domain/money.ts'
import { monthOf } from '#kit/domain/month.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import { code } from '#kit/server/sql.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { billState, payState } from '../contract/choices.ts'
import type { BillHalf } from '../domain/adjustment.ts'
import { payStateOf } from '../domain/bill.ts'
import { computeLateFeeDue } from '../domain/late-fee.ts'
import type { ActionContext } from './actions.ts'
import { findBillRules, type BillRule } from './late-fee.ts'
import { splitLedgerEntries } from './split-ledger.ts'
import { rewriteBillMonths, toBill } from './stored-bill.ts'

const copiedColumns = sql.raw(`
  project_code, source_type, source_code, source_name, build_code, payer_kind, payer_id,
  payer_name, payer_mobile, fee_item_id, fee_item_name, standard_id, relation_id, fee_type, price,
  last_num, cur_num, multiple, calc_snapshot, bill_source, is_pre, batch_no, ref_type, ref_id,
  disputed, promise_date, last_urge_time, urge_count, remark, run_free
`)

/**
 * Copies a bill for each half, with numbers derived from its own. The copies share its `run_root`, so that
 * the overlap check of the database admits them side by side.
 */
async function writeHalves(
  tx: Tx,
  scope: Scope,
  parent: Bill,
  halves: readonly [BillHalf, BillHalf],
  rule: BillRule,
  today: Day,
): Promise<Id[]> {
  const { n: existingHalves } = defined(
    await tx.one<{ n: number }>(
      sql`
        select count(*)::int as n
        from bill
        where owner_id = ${scope.ownerId}
          and parent_id = ${parent.id}
      `,
    ),
  )
  const values = halves.map((half, i) => {
    const lateDue = computeLateFeeDue({ ...toBill(parent), ...half, latePaid: 0 }, rule.late, [], today)
    return {
      bill_no: `${parent.billNo}-${existingHalves + 1 + i}`,
      begin_date: half.begin,
      end_date: half.end,
      belong_month: monthOf(half.begin),
      due_date: half.dueDate,
      amount: formatYuan(half.amount),
      discount: formatYuan(half.discount),
      late_due: formatYuan(lateDue),
      waived: formatYuan(half.lateWaived),
      manual: half.lateManual,
      pay_state: codeOf(payState, payStateOf({ ...half, lateDue, paidPrincipal: 0, latePaid: 0 }, rule)),
    }
  })
  const inserted = await tx.rows<{ id: Id }>(sql`
    insert into bill (
      owner_id, parent_id, state, create_by, update_by, late_day, bill_no, begin_date, end_date,
      belong_month, due_date, amount, discount_amount, late_fee_due, late_fee_waived, late_fee_manual,
      pay_state, run_split_root, ${copiedColumns}
    )
    select p.owner_id, p.id, ${code(billState, 'normal')}, ${scope.operatorId}, ${scope.operatorId},
      ${today}::date, r.bill_no, r.begin_date, r.end_date, r.belong_month, r.due_date, r.amount, r.discount,
      r.late_due, r.waived, r.manual, r.pay_state, p.run_root, ${copiedColumns}
    from bill p,
      json_to_recordset(${JSON.stringify(values)}::json) as r(
        bill_no text, begin_date date, end_date date, belong_month text, due_date date, amount numeric,
        discount numeric, late_due numeric, waived numeric, manual boolean, pay_state smallint
      )
    where p.owner_id = ${scope.ownerId} and p.id = ${parent.id}
    order by r.bill_no
    returning id
  `)
  const ids = inserted.map(m => m.id)
  publishRecordsWritten(tx, scope.ownerId, { entity: bill.name, action: 'insert', ids })
  return ids
}

/** Writes the halves of a bill that is split, with their part of its history. */
export async function makeHalves(
  tx: Tx,
  { scope, today, reason }: ActionContext,
  row: Bill,
  halves: readonly [BillHalf, BillHalf],
): Promise<Bill[]> {
  const rule = (await findBillRules(tx, scope.ownerId, [row]))(row)
  const ids = await writeHalves(tx, scope, row, halves, rule, today)
  await splitLedgerEntries(tx, scope, row, await findByIds(tx, bill, scope, ids), today)
  const made = await findByIds(tx, bill, scope, ids)
  await rewriteBillMonths(tx, scope.ownerId, made)
  await audit(
    tx,
    scope,
    made.map(half => ({
      action: 'insert',
      entity: bill.name,
      entityId: half.id,
      projectCode: half.projectCode,
      after: {
        billNo: half.billNo,
        parentId: row.id,
        beginDate: half.beginDate,
        endDate: half.endDate,
        amount: half.amount,
        discountAmount: half.discountAmount,
        dueDate: half.dueDate,
      },
      reason,
    })),
  )
  return made
}
