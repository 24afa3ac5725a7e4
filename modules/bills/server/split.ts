import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { invalidInput, refuse } from '#kit/contract/wire.ts'
import { formatYuan, subtractFen } from '#kit/domain/money.ts'
import { monthOf } from '#kit/domain/month.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, requireById, findAll } from '#kit/server/table.ts'
import { touch, code } from '#kit/server/sql.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import { mergeBill, splitBill } from '../contract/adjustments.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { payState, billState } from '../contract/choices.ts'
import { stateChange } from '../domain/actions.ts'
import { mergeHalves, splitByAmount, splitByDate, type BillHalf } from '../domain/adjustment.ts'
import { payStateOf, withMoney } from '../domain/bill.ts'
import { computeLateFeeDue, type PrincipalEntry } from '../domain/late-fee.ts'
import { runActionOnOne, type ActionDecision } from './action-runner.ts'
import type { ActionContext } from './actions.ts'
import { presentBills } from './bill-query.ts'
import { releaseLinks } from './bill-links.ts'
import { findPrincipalEntries, findBillRules, type BillRule } from './late-fee.ts'
import { mergeLedgerEntries, splitLedgerEntries } from './split-ledger.ts'
import { rewriteBillMonths, toBill } from './stored-bill.ts'
import { lockRelations, lockCurrentBill } from './bill-lock.ts'
import { findWaitingBills } from './waiting-bills.ts'

const findChildren = (db: Db, scope: Scope, parent: number): Promise<Bill[]> =>
  findAll(db, bill, scope, { order: 'id' }, { where: [sql`t.parent_id = ${parent}`] })

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

/** Splits a bill into two halves that replace it; refuses what C3.2 forbids. */
export async function splitRow(
  tx: Tx,
  context: ActionContext,
  row: Bill,
  halves: readonly [BillHalf, BillHalf] | string,
): Promise<Bill[]> {
  const { scope, today, now, reason } = context
  await runActionOnOne(tx, scope, row, {
    action: 'split',
    now,
    today,
    reason,
    decide: () => (typeof halves === 'string' ? halves : { change: stateChange('split') }),
  })
  // Refused above by `decide`; repeated for the type.
  if (typeof halves === 'string') return refuse(halves)
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

export const splitHandlers = [
  writes(splitBill, async ({ id, version, on, amount, secondDue, reason }, { tx, scope, today, now }) => {
    if ((on === undefined) === (amount === undefined))
      throw invalidInput([{ Field: 'SplitDate', Message: '请填写拆分日期或第一张金额，二者选一' }])
    // The halves are bills of the relation: ending the charge or undoing the run must wait for them.
    await lockRelations(tx, scope.ownerId, sql`t.owner_id = ${scope.ownerId} and t.id = ${id}`)
    const row = await lockCurrentBill(tx, scope, id, version)
    const halves =
      on !== undefined
        ? splitByDate(toBill(row), on, secondDue)
        : splitByAmount(toBill(row), defined(amount), secondDue)
    return presentBills(await splitRow(tx, { scope, today, now, reason }, row, halves), today, now)
  }),
  writes(mergeBill, merge),
]

/** Merges the halves of a split back into the whole, when nothing has happened to them (BILL-12). */
async function merge(
  { id, version, reason }: NonNullable<typeof mergeBill.input.T>,
  { tx, scope, today, now }: WriteContext,
): Promise<Bill> {
  await lockRelations(tx, scope.ownerId, sql`t.owner_id = ${scope.ownerId} and t.id = ${id}`)
  const row = await lockCurrentBill(tx, scope, id, version)
  const halfBills = await findByIds(
    tx,
    bill,
    scope,
    (await findChildren(tx, scope, id)).map(c => c.id),
    { lock: true },
  )
  if ((await findWaitingBills(tx, scope, halfBills)).size)
    return refuse('拆分出的账单已在审批中，请等待审批结果后再合并还原')
  const children = halfBills.map(toBill)
  const rule = (await findBillRules(tx, scope.ownerId, [row]))(row)
  await deleteHalves(tx, scope, row, halfBills)
  const entries = (await findPrincipalEntries(tx, scope.ownerId, [id])).get(id) ?? []
  const latest = (of: (m: Bill) => string | undefined): string | null =>
    halfBills
      .flatMap(m => of(m) ?? [])
      .toSorted()
      .at(-1) ?? null
  await runActionOnOne(tx, scope, row, {
    action: 'mergeBack',
    now,
    today,
    reason,
    facts: () => ({ children }),
    extraColumns: [
      sql`late_day = ${today}`,
      sql`disputed = ${halfBills.some(m => m.disputed)}`,
      sql`promise_date = ${latest(m => m.promiseDate)}::date`,
      sql`urge_count = ${Math.max(row.urgeCount, ...halfBills.map(m => m.urgeCount))}`,
      sql`last_urge_time = ${latest(m => m.lastUrgeTime)}::timestamptz`,
    ],
    decide: r => decideMerge(r, children, rule, entries, today),
  })
  await cleanUpHalves(tx, scope, halfBills, reason)
  return defined(presentBills([await requireById(tx, bill, scope, id)], today, now)[0])
}

/**
 * Deletes the halves, so that the whole can have their period again, and moves their payments to the whole.
 */
async function deleteHalves(tx: Tx, scope: Scope, row: Bill, halfBills: readonly Bill[]): Promise<void> {
  if (row.state === 'split' && halfBills.length) {
    await tx.execute(
      sql`
        update bill
        set delete_tag = 1, ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = any(${halfBills.map(m => m.id)})
      `,
    )
    publishRecordsWritten(tx, scope.ownerId, {
      entity: bill.name,
      action: 'delete',
      ids: halfBills.map(m => m.id),
      projectCode: row.projectCode,
    })
    await mergeLedgerEntries(
      tx,
      scope.ownerId,
      row.id,
      halfBills.map(m => m.id),
    )
  }
}

/** Removes the halves from statistics and releases their relations. */
async function cleanUpHalves(
  tx: Tx,
  scope: Scope,
  halfBills: readonly Bill[],
  reason: string | undefined,
): Promise<void> {
  await rewriteBillMonths(
    tx,
    scope.ownerId,
    halfBills.map(m => ({ ...m, deleted: true })),
  )
  await audit(
    tx,
    scope,
    halfBills.map(half => ({
      action: 'delete',
      entity: bill.name,
      entityId: half.id,
      projectCode: half.projectCode,
      before: { billNo: half.billNo, amount: half.amount, state: half.state },
      reason,
    })),
  )
  await releaseLinks(tx, scope, halfBills)
}

function decideMerge(
  row: Bill,
  children: readonly ReturnType<typeof toBill>[],
  rule: BillRule,
  entries: readonly PrincipalEntry[],
  today: Day,
): ActionDecision | string {
  const merged = mergeHalves(toBill(row), children, rule)
  if (typeof merged === 'string') return merged
  const whole = { ...toBill(row), ...stateChange('mergeBack'), ...merged }
  const change = {
    ...stateChange('mergeBack'),
    ...merged,
    ...withMoney(whole, { lateDue: computeLateFeeDue(whole, rule.late, entries, today) }, rule),
  }
  return {
    change,
    ...(whole.discount === row.discountAmount
      ? {}
      : {
          adjust: {
            type: 'discount',
            oldValue: formatYuan(row.discountAmount),
            newValue: formatYuan(whole.discount),
            amount: subtractFen(whole.discount, row.discountAmount),
          },
        }),
  }
}
