import type { BulkResult } from '#kit/contract/bulk-result.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { refuse, refuseField } from '#kit/contract/wire.ts'
import { formatYuan, subtractFen } from '#kit/domain/money.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, assertInDomain, requireById } from '#kit/server/table.ts'
import { touch } from '#kit/server/sql.ts'
import { company } from '#modules/companies/contract/company.ts'
import { findResidentsByIds } from '#modules/residents/server/public.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { changePayer, editBillAmount, markBills, setLateFee } from '../contract/adjustments.ts'
import { changeAmount } from '../domain/adjustment.ts'
import { runActionOnOne } from './action-runner.ts'
import { presentBills } from './bill-query.ts'
import { toBill } from './stored-bill.ts'
import { lockBills, selectionCondition, lockCurrentBill } from './bill-lock.ts'
import { billState } from '../contract/choices.ts'
import {
  applyLateFees,
  applyPayer,
  createLateFeeUpdater,
  lockSelection,
  type PayerContact,
} from './adjustment.ts'

/** The current name and phone of a resident or company in the caller's domain. */
async function findPayer(db: Db, scope: Scope, kind: 'resident' | 'company', id: Id): Promise<PayerContact> {
  if (kind === 'company') {
    const [c] = await findByIds(db, company, scope, [id])
    return c
      ? { name: c.name, mobile: c.contactPhone }
      : refuseField('PayerID', '该企业不存在或已被删除，请重新选择')
  }
  const [p] = await findResidentsByIds(db, scope, [id])
  return p ? { name: p.name, mobile: p.mobile } : refuseField('PayerID', '该住户不存在或已被删除，请重新选择')
}

export const adjustmentHandlers = [
  writes(
    setLateFee,
    async ({ ids, sourceType, sourceCodes, feeItemId, ...input }, { tx, scope, today, now }) =>
      applyLateFees(
        tx,
        { scope, today, now },
        input,
        ...(await lockSelection(tx, scope, { ids, sourceType, sourceCodes, feeItemId })),
      ),
  ),
  writes(changePayer, async ({ ids, payerKind, payerId, reason }, { tx, scope, today, now }) => {
    const payer = await findPayer(tx, scope, payerKind, payerId)
    const rows = await lockBills(tx, scope, selectionCondition(scope, { ids }))
    return applyPayer(
      tx,
      { scope, today, now, reason },
      rows,
      { kind: payerKind, id: payerId, ...payer },
      missingIds(ids, rows),
    )
  }),
  writes(editBillAmount, async ({ id, version, amount, reason }, { tx, scope, today, now }) => {
    const row = await lockCurrentBill(tx, scope, id, version)
    const late = await createLateFeeUpdater(tx, scope.ownerId, [row], today)
    await runActionOnOne(tx, scope, row, {
      action: 'editAmount',
      now,
      today,
      reason,
      extraColumns: [sql`late_day = ${today}`, sql`price = null`, sql`calc_snapshot = null`],
      decide: current => {
        const changed = changeAmount(toBill(current), amount)
        return typeof changed === 'string'
          ? changed
          : {
              change: late.withLateFee(current, changed),
              adjust: {
                type: 'amount',
                oldValue: formatYuan(current.amount),
                newValue: formatYuan(amount),
                amount: subtractFen(amount, current.amount),
              },
            }
      },
    })
    return defined(presentBills([await requireById(tx, bill, scope, id)], today, now)[0])
  }),
  writes(markBills, setMarks),
]

/** Ids that no longer exist, each as often as it was sent. */
const missingIds = (ids: readonly string[], rows: readonly Bill[]): Id[] => {
  const found = new Set(rows.map(r => r.id))
  return ids.map(parseId).filter(id => !found.has(id))
}

type Marks = NonNullable<typeof markBills.input.T>

/**
 * Marks a dispute, a promised day or a remark on unpaid bills; the others are reported as skipped (BILL-2).
 */
async function setMarks(
  { ids, disputed, promiseDate, clearPromise, remark, clearRemark }: Marks,
  { tx, scope, today }: WriteContext,
): Promise<BulkResult> {
  if (promiseDate !== undefined && promiseDate < today) {
    refuseField('PromiseDate', '承诺缴费日不能早于今天')
  }
  const rows = await lockBills(tx, scope, selectionCondition(scope, { ids }))
  const markable = rows.filter(r => r.state === 'normal' && r.payState === 'unpaid')
  const columns = [
    ...(disputed === undefined ? [] : [sql`disputed = ${disputed}`]),
    ...(promiseDate !== undefined
      ? [sql`promise_date = ${promiseDate}`]
      : clearPromise
        ? [sql`promise_date = null`]
        : []),
    ...(remark !== undefined ? [sql`remark = ${remark}`] : clearRemark ? [sql`remark = null`] : []),
  ]
  if (!columns.length) return refuse('请选择要标记的内容')
  for (const row of rows) {
    assertInDomain(bill, scope, row)
  }
  await tx.execute(
    sql`
          update bill
          set ${sql.join(columns)}, ${touch(scope)}
          where owner_id = ${scope.ownerId} and id = any(${markable.map(r => r.id)})
        `,
  )
  await audit(
    tx,
    scope,
    markable.map(row => ({
      action: 'update',
      entity: bill.name,
      entityId: row.id,
      projectCode: row.projectCode,
      before: { disputed: row.disputed, promiseDate: row.promiseDate, remark: row.remark },
      after: {
        disputed: disputed ?? row.disputed,
        promiseDate: clearPromise ? undefined : (promiseDate ?? row.promiseDate),
        remark: remark ?? (clearRemark ? undefined : row.remark),
      },
    })),
  )
  const skipped = skippedMarks(rows, markable, missingIds(ids, rows))
  return { success: markable.length, fail: 0, skipped: skipped.length, rows: skipped }
}

const skippedMarks = (
  rows: readonly Bill[],
  markable: readonly Bill[],
  missing: readonly Id[],
): BulkResult['rows'] => [
  ...rows
    .filter(r => !markable.includes(r))
    .map(row => ({
      id: row.id,
      code: row.billNo,
      reason:
        row.payState === 'paid'
          ? '账单已缴清，不需要标记'
          : `当前为“${labelOf(billState, row.state)}”，不能标记`,
    })),
  ...missing.map(id => ({ id, reason: '账单不存在或已被删除' })),
]
