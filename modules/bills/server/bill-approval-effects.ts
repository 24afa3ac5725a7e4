import type { BulkResult } from '#kit/contract/bulk-result.ts'
import type { ValueOf } from '#kit/contract/field.ts'
import { invalidField, refuse } from '#kit/contract/wire.ts'
import { displayYuan, type Fen } from '#kit/domain/money.ts'
import {
  registerApprovalKind,
  resubmitApproval,
  type ApprovalContext,
  type ApprovalRecord,
  type ApprovalRequest,
} from '#modules/approvals/server/public.ts'
import { discountApprovalKind, writeOffKind } from '../contract/approval-kinds.ts'
import type { Bill } from '../contract/bill.ts'
import { refusalOf } from '../domain/actions.ts'
import { applyDiscount } from '../domain/adjustment.ts'
import { isLocked } from '../domain/bill.ts'
import { judgeBills } from './action-runner.ts'
import { applyWriteOff, findMissingIds, writeOffSpec } from './actions.ts'
import { applyDiscounts, discountSpec, parseDiscount, type DiscountInput } from './adjustment.ts'
import {
  discountForm,
  discountTitle,
  lockById,
  mostOfEach,
  principalOf,
  writeOffForm,
  writeOffTitle,
  type LeftOut,
} from './bill-requests.ts'
import { toBill } from './stored-bill.ts'

/** What an approval did not find as it was asked for is not done in part. */
function assertAllDone({ success, rows }: BulkResult, count: number): void {
  if (success < count) refuse(`账单已有变动，不能按申请办理：${rows[0]?.reason ?? '账单已被删除'}`)
}

/** Paid, discounted or changed since it was asked for: who approves has not seen that. */
function assertUnchanged(
  rows: readonly Bill[],
  { unpaidPrincipal }: { readonly unpaidPrincipal?: Fen | undefined },
): void {
  if (unpaidPrincipal !== undefined && principalOf(rows) !== unpaidPrincipal)
    refuse('账单已有变动：申请之后有收款、减免或改金额，请驳回后重新申请')
}

/** A bill in payment is neither left out of its request nor discounted: it is known soon which (BILL-3). */
function assertNotInPayment(rows: readonly Bill[], { now }: Pick<ApprovalContext, 'now'>): void {
  const paying = rows.find(row => isLocked(toBill(row), now))
  if (paying) refuse(`账单 ${paying.billNo} 正在支付中，请等支付完成或关闭支付单后再重新提交`)
}

interface Resubmitted {
  readonly rows: readonly Bill[]
  readonly leftOut: readonly LeftOut[]
}

/** What came back goes in again with the bills that it can still be about, as they are by now. */
function requireOpenBills({ decided, skipped }: ReturnType<typeof judgeBills>): Resubmitted {
  if (!decided.length) refuse(`${skipped[0]?.reason ?? '账单已被删除'}，请放弃该申请`)
  return { rows: decided.map(({ row }) => row), leftOut: skipped }
}

type Chosen = ApprovalRequest['chosen']

async function resubmitWriteOff(
  c: ApprovalContext,
  { bizId, form: { ids, reason } }: Pick<ApprovalRecord<(typeof writeOffKind)['form']>, 'bizId' | 'form'>,
  chosen: Chosen,
): Promise<void> {
  const { tx, scope, today, now } = c
  const context = { scope, today, now, reason }
  const locked = await lockById(c, ids)
  assertNotInPayment(locked, c)
  const judged = judgeBills(scope, locked, writeOffSpec(context), findMissingIds(ids, locked))
  const { rows, leftOut } = requireOpenBills(judged)
  const title = writeOffTitle(scope, rows.length)
  const form = writeOffForm(rows, reason, leftOut)
  const request = { bizId, recordIds: rows.map(({ id }) => id), title, form, chosen }
  if ((await resubmitApproval(c, writeOffKind, request)) === 'notRequired') {
    await applyWriteOff(tx, context, rows)
  }
}

registerApprovalKind(writeOffKind, {
  lock: async (c, { form }) => {
    await lockById(c, form.ids)
  },
  amendable: () => ['reason'],
  resubmit: resubmitWriteOff,
  onApproved: async (c, { form }) => {
    const { tx, scope, today, now } = c
    const { ids, reason } = form
    const rows = await lockById(c, ids)
    assertUnchanged(rows, form)
    assertAllDone(await applyWriteOff(tx, { scope, today, now, reason }, rows), ids.length)
  },
})

type DiscountForm = ValueOf<(typeof discountApprovalKind)['form']>

/** The discount that an amended form asks for, without the figure of the other way. */
function discountOf({ kind, each, percent, reason }: DiscountForm): DiscountInput {
  if (kind === 'rate') {
    if (percent === undefined) throw invalidField('percent', '请填写减免比例，0 到 100')
    return { kind, percent, reason }
  }
  if (each === undefined) throw invalidField('each', '请填写每张减免的金额')
  return { kind, amount: each, reason }
}

/** A figure that one of the bills cannot have is put right: no bill is left out for it. */
function assertFits(rows: readonly Bill[], input: DiscountInput): void {
  const discount = parseDiscount(input)
  const misfits = rows.filter(row => typeof applyDiscount(toBill(row), discount) === 'string')
  if (!misfits.length) return
  const most = mostOfEach(misfits)
  const [tightest] = misfits.filter(row => row.amount - row.paidPrincipal === most)
  const limit = `账单 ${tightest?.billNo} 最多可减免 ${displayYuan(most)} 元`
  if (input.kind === 'rate') throw invalidField('percent', `${limit}，请调低减免比例`)
  throw invalidField('each', `${limit}，请调低每张减免`)
}

async function resubmitDiscount(
  c: ApprovalContext,
  { bizId, form }: Pick<ApprovalRecord<(typeof discountApprovalKind)['form']>, 'bizId' | 'form'>,
  chosen: Chosen,
): Promise<void> {
  const { tx, scope, today, now } = c
  const input = discountOf(form)
  const context = { scope, today, now }
  const locked = await lockById(c, form.ids)
  assertNotInPayment(locked, c)
  assertFits(
    locked.filter(row => refusalOf('discount', toBill(row), { now }) === undefined),
    input,
  )
  const spec = await discountSpec(tx, context, input, locked)
  const judged = judgeBills(scope, locked, spec, findMissingIds(form.ids, locked))
  const { rows, leftOut } = requireOpenBills(judged)
  const title = discountTitle(scope, rows.length)
  const amended = discountForm(rows, input, leftOut)
  const request = { bizId, recordIds: rows.map(({ id }) => id), title, form: amended, chosen }
  if ((await resubmitApproval(c, discountApprovalKind, request)) === 'notRequired') {
    await applyDiscounts(tx, context, input, rows)
  }
}

registerApprovalKind(discountApprovalKind, {
  lock: async (c, { form }) => {
    await lockById(c, form.ids)
  },
  amendable: () => ['kind', 'each', 'percent', 'reason'],
  resubmit: resubmitDiscount,
  onApproved: async (c, { form }) => {
    const { tx, scope, today, now } = c
    const { ids, kind, each, percent, reason } = form
    const input = { kind, amount: each, percent, reason }
    const rows = await lockById(c, ids)
    assertUnchanged(rows, form)
    assertAllDone(await applyDiscounts(tx, { scope, today, now }, input, rows), ids.length)
  },
})
