import type { BulkResult } from '#kit/contract/bulk-result.ts'
import { refuse } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import type { Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { ApprovalKind } from '#modules/approvals/contract/kind.ts'
import { hasDefinition, requestApproval, requiresApproval } from '#modules/approvals/server/public.ts'
import { writeOffBills } from '../contract/actions.ts'
import { setDiscount } from '../contract/adjustments.ts'
import { discountApprovalKind, maxApprovedBills, writeOffKind } from '../contract/approval-kinds.ts'
import type { Bill } from '../contract/bill.ts'
import { waitingRefusal } from '../domain/actions.ts'
import { judgeBills, maxReportedRows } from './action-runner.ts'
import { applyWriteOff, findMissingIds, writeOffSpec } from './actions.ts'
import { applyDiscounts, discountSpec, lockSelection } from './adjustment.ts'
import {
  discountForm,
  discountTitle,
  lockById,
  writeOffForm,
  writeOffTitle,
  type RequestTexts,
} from './bill-requests.ts'
import { findWaitingBills } from './waiting-bills.ts'

/** What a request about bills would do now: the bills that it can name, and the others with the reason. */
type Judged = ReturnType<typeof judgeBills>

type BillForm = (typeof writeOffKind)['form']

/**
 * Has bills wait for an approval where a definition of the company asks somebody; the bills are then reported
 * as left unchanged, beside those that the action refuses as it does without approvals. Undefined where
 * nobody is asked. A bill that waits already is left out with that reason.
 */
async function askForApproval<F extends BillForm>(
  c: WriteContext,
  kind: ApprovalKind<F>,
  { decided, skipped }: Judged,
  { formOf, titleOf }: RequestTexts<F>,
): Promise<BulkResult | undefined> {
  const rows = decided.map(({ row }) => row)
  const [first] = rows
  const form = formOf(rows)
  if (!first || !(await requiresApproval(c.tx, c.scope, kind, form))) return undefined
  if (rows.length > maxApprovedBills) return refuse(`一次最多 ${maxApprovedBills} 张账单提交审批，请分批办理`)
  const waiting = await findWaitingBills(c.tx, c.scope, rows)
  const [inApproval, free] = [
    rows.filter(row => waiting.has(row.id)),
    rows.filter(row => !waiting.has(row.id)),
  ]
  const refused = [...skipped, ...reportOf(inApproval, waitingRefusal)]
  if (!free.length) return resultOf(0, refused)
  const state = await sendRequest(c, kind, free, { formOf, titleOf })
  return state === 'approved'
    ? resultOf(free.length, refused)
    : resultOf(0, [...refused, ...reportOf(free, '已提交审批，通过后生效')])
}

const reportOf = (rows: readonly Bill[], reason: string) =>
  rows.map(({ id, billNo }) => ({ id, code: billNo, reason }))

const resultOf = (success: number, left: BulkResult['rows']): BulkResult => ({
  success,
  fail: 0,
  skipped: left.length,
  rows: left.slice(0, maxReportedRows),
})

async function sendRequest<F extends BillForm>(
  c: WriteContext,
  kind: ApprovalKind<F>,
  rows: readonly Bill[],
  { formOf, titleOf }: RequestTexts<F>,
): Promise<'running' | 'approved'> {
  const [first, second] = [...new Set(rows.map(row => row.projectCode))]
  const request = {
    bizId: defined(rows[0]).id,
    title: titleOf(rows.length),
    form: formOf(rows),
    projectCode: second === undefined ? first : undefined,
  }
  return (await requestApproval(c, kind, request)).state
}

async function writeOffOrAsk(
  { ids, reason }: { readonly ids: readonly string[]; readonly reason: string },
  c: WriteContext,
): Promise<BulkResult> {
  const { tx, scope, today, now } = c
  const context = { scope, today, now, reason }
  const rows = await lockById(c, ids)
  const missing = findMissingIds(ids, rows)
  const asked = await askForApproval(
    c,
    writeOffKind,
    judgeBills(scope, rows, writeOffSpec(context), missing),
    {
      formOf: open => writeOffForm(open, reason),
      titleOf: count => writeOffTitle(scope, count),
    },
  )
  return asked ?? applyWriteOff(tx, context, rows, missing)
}

type DiscountRequest = NonNullable<typeof setDiscount.input.T>

async function discountOrAsk(request: DiscountRequest, c: WriteContext): Promise<BulkResult> {
  const { tx, scope, today, now } = c
  const context = { scope, today, now }
  const { ids, sourceType, sourceCodes, feeItemId, ...input } = request
  const [rows, missing] = await lockSelection(tx, scope, { ids, sourceType, sourceCodes, feeItemId })
  const spec = await discountSpec(tx, context, input, rows)
  const asked = await askForApproval(c, discountApprovalKind, judgeBills(scope, rows, spec, missing), {
    formOf: open => discountForm(open, input),
    titleOf: count => discountTitle(scope, count),
  })
  return asked ?? applyDiscounts(tx, context, input, rows, missing)
}

/** Where discounts are approved, those that nobody can wait for are refused above the limit. */
export async function assertDiscountNeedsNoApproval(
  { tx, scope }: Pick<WriteContext, 'tx' | 'scope'>,
  request: DiscountRequest,
): Promise<void> {
  if (!(await hasDefinition(tx, scope, discountApprovalKind))) return
  const { ids, sourceType, sourceCodes, feeItemId, ...input } = request
  const [rows] = await lockSelection(tx, scope, { ids, sourceType, sourceCodes, feeItemId })
  if (await requiresApproval(tx, scope, discountApprovalKind, discountForm(rows, input)))
    refuse('减免需要审批，请在账单列表中申请减免')
}

/** Nor can a task over a filter wait. */
export async function assertNoDiscountDefinition(db: Db, scope: Scope): Promise<void> {
  if (await hasDefinition(db, scope, discountApprovalKind)) refuse('减免已启用审批，请在列表中选中账单后减免')
}

export const billApprovalHandlers = [writes(writeOffBills, writeOffOrAsk), writes(setDiscount, discountOrAsk)]
