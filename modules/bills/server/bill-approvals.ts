import type { BulkResult } from '#kit/contract/bulk-result.ts'
import type { Fields, ValueOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import { sumFen, type Fen } from '#kit/domain/money.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import type { Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { ApprovalKind } from '#modules/approvals/contract/kind.ts'
import {
  hasDefinition,
  registerApprovalKind,
  requestApproval,
  requiresApproval,
  waitsForApproval,
} from '#modules/approvals/server/public.ts'
import { writeOffBills } from '../contract/actions.ts'
import { setDiscount } from '../contract/adjustments.ts'
import { discountApprovalKind, maxApprovedBills, writeOffKind } from '../contract/approval-kinds.ts'
import type { Bill } from '../contract/bill.ts'
import { applyDiscount } from '../domain/adjustment.ts'
import { unpaid } from '../domain/bill.ts'
import { judgeBills, maxReportedRows } from './action-runner.ts'
import { applyWriteOff, findMissingIds, writeOffSpec } from './actions.ts'
import {
  applyDiscounts,
  discountSpec,
  lockSelection,
  parseDiscount,
  type DiscountInput,
} from './adjustment.ts'
import { lockBills, selectionCondition } from './bill-lock.ts'
import { toBill } from './stored-bill.ts'

const principalOf = (rows: readonly Bill[]): Fen => sumFen(rows.map(row => row.unpaidPrincipal))

/** What every request about bills says of them. */
const factsOf = (rows: readonly Bill[], reason: string) => {
  const objects = [...new Set(rows.map(row => row.sourceName))].join('、')
  return {
    billCount: rows.length,
    objects: objects.length > 200 ? `${objects.slice(0, 199)}…` : objects,
    reason,
    unpaidPrincipal: principalOf(rows),
    ids: rows.map(row => String(row.id)),
  }
}

/** What a request about bills would do now: the bills that it can name, and the others with the reason. */
type Judged = ReturnType<typeof judgeBills>

/**
 * Has bills wait for an approval where a definition of the company asks somebody; the bills are then reported
 * as left unchanged, beside those that the action refuses as it does without approvals. Undefined where
 * nobody is asked.
 */
async function askForApproval<F extends Fields>(
  c: WriteContext,
  kind: ApprovalKind<F>,
  { decided, skipped }: Judged,
  { formOf, titleOf }: { formOf: (rows: readonly Bill[]) => ValueOf<F>; titleOf: (count: number) => string },
): Promise<BulkResult | undefined> {
  const rows = decided.map(({ row }) => row)
  const [first] = rows
  const form = formOf(rows)
  if (!first || !(await requiresApproval(c.tx, c.scope, kind, form))) return undefined
  if (rows.length > maxApprovedBills) return refuse(`一次最多 ${maxApprovedBills} 张账单提交审批，请分批办理`)
  if (await waitsForApproval(c.tx, c.scope, kind, first.id))
    return refuse(`账单 ${first.billNo} 已在审批中，请等待审批结果`)
  const projects = new Set(rows.map(row => row.projectCode))
  const { state } = await requestApproval(c, kind, {
    bizId: first.id,
    title: titleOf(rows.length),
    form,
    projectCode: projects.size === 1 ? first.projectCode : undefined,
  })
  const isDone = state === 'approved'
  const waiting = isDone
    ? []
    : rows.map(row => ({ id: row.id, code: row.billNo, reason: '已提交审批，通过后生效' }))
  const left = [...skipped, ...waiting]
  return {
    success: isDone ? rows.length : 0,
    fail: 0,
    skipped: left.length,
    rows: left.slice(0, maxReportedRows),
  }
}

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

const lockById = (c: Pick<WriteContext, 'tx' | 'scope'>, ids: readonly string[]): Promise<Bill[]> =>
  lockBills(c.tx, c.scope, selectionCondition(c.scope, { ids }))

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
      formOf: open => ({ ...factsOf(open, reason), amount: sumFen(open.map(row => unpaid(toBill(row)))) }),
      titleOf: count => `${scope.name} 坏账核销 ${count} 张账单`,
    },
  )
  return asked ?? applyWriteOff(tx, context, rows, missing)
}

/** How much the discounts of bills become together; those that cannot have it count for nothing. */
function discountSum(rows: readonly Bill[], input: DiscountInput): Fen {
  const discount = parseDiscount(input)
  return sumFen(
    rows.map(row => {
      const changed = applyDiscount(toBill(row), discount)
      return typeof changed === 'string' ? 0 : defined(changed.discount)
    }),
  )
}

const discountForm = (rows: readonly Bill[], input: DiscountInput) => ({
  ...factsOf(rows, input.reason),
  amount: discountSum(rows, input),
  kind: input.kind,
  each: input.amount,
  percent: input.percent,
})

type DiscountRequest = NonNullable<typeof setDiscount.input.T>

async function discountOrAsk(request: DiscountRequest, c: WriteContext): Promise<BulkResult> {
  const { tx, scope, today, now } = c
  const context = { scope, today, now }
  const { ids, sourceType, sourceCodes, feeItemId, ...input } = request
  const [rows, missing] = await lockSelection(tx, scope, { ids, sourceType, sourceCodes, feeItemId })
  const spec = await discountSpec(tx, context, input, rows)
  const asked = await askForApproval(c, discountApprovalKind, judgeBills(scope, rows, spec, missing), {
    formOf: open => discountForm(open, input),
    titleOf: count => `${scope.name} 减免 ${count} 张账单`,
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

registerApprovalKind(writeOffKind, {
  lock: async (c, { form }) => {
    await lockById(c, form.ids)
  },
  onApproved: async (c, { form }) => {
    const { tx, scope, today, now } = c
    const { ids, reason } = form
    const rows = await lockById(c, ids)
    assertUnchanged(rows, form)
    assertAllDone(await applyWriteOff(tx, { scope, today, now, reason }, rows), ids.length)
  },
})

registerApprovalKind(discountApprovalKind, {
  lock: async (c, { form }) => {
    await lockById(c, form.ids)
  },
  onApproved: async (c, { form }) => {
    const { tx, scope, today, now } = c
    const { ids, kind, each, percent, reason } = form
    const input = { kind, amount: each, percent, reason }
    const rows = await lockById(c, ids)
    assertUnchanged(rows, form)
    assertAllDone(await applyDiscounts(tx, { scope, today, now }, input, rows), ids.length)
  },
})

export const billApprovalHandlers = [writes(writeOffBills, writeOffOrAsk), writes(setDiscount, discountOrAsk)]
