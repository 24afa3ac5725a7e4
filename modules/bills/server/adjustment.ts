import type { BulkResult } from '#kit/contract/bulk-result.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { refuseField } from '#kit/contract/wire.ts'
import { displayYuan, type Fen, formatYuan, subtractFen } from '#kit/domain/money.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'
import { type Bill } from '../contract/bill.ts'
import { setDiscount, setLateFee } from '../contract/adjustments.ts'
import {
  applyDiscount,
  adjustLateFee,
  percentToFraction,
  type Discount,
  type LateFeeAdjustment,
} from '../domain/adjustment.ts'
import { lateUnpaid, withMoney, type BillChange } from '../domain/bill.ts'
import { accrueLateFee, computeLateFeeDue } from '../domain/late-fee.ts'
import { runAction, type ActionDecision, type ActionSpec } from './action-runner.ts'
import { findMissingIds, type ActionContext } from './actions.ts'
import { findPrincipalEntries, findBillRules, type BillRule } from './late-fee.ts'
import { toBill } from './stored-bill.ts'
import { lockBills, selectionCondition, type BillSelection } from './bill-lock.ts'

/**
 * For changes of principal: `withLateFee` adds the late fee recomputed from its first day to a change
 * (LATE-6), `accruedLateFee` is that of a bill in fen.
 */
export async function createLateFeeUpdater(
  db: Db,
  ownerId: Id,
  rows: readonly Bill[],
  today: Day,
): Promise<{
  readonly ruleOf: (b: Bill) => BillRule
  readonly withLateFee: (row: Bill, change: BillChange) => BillChange
  readonly accruedLateFee: (row: Bill) => Fen
}> {
  const ruleOf = await findBillRules(db, ownerId, rows)
  const entries = await findPrincipalEntries(
    db,
    ownerId,
    rows.filter(r => r.paidPrincipal > 0 || r.refundState !== 'none').map(r => r.id),
  )
  return {
    ruleOf,
    withLateFee: (row, change) => {
      const bill = { ...toBill(row), ...change }
      const rule = ruleOf(row)
      return {
        ...change,
        ...withMoney(
          bill,
          { lateDue: computeLateFeeDue(bill, rule.late, entries.get(row.id) ?? [], today) },
          rule,
        ),
      }
    },
    accruedLateFee: row =>
      accrueLateFee(
        ruleOf(row).late,
        { dueDate: row.dueDate, principal: row.receivable, moves: entries.get(row.id) ?? [] },
        today,
      ),
  }
}

export interface PayerContact {
  readonly name: string
  readonly mobile?: string | undefined
}

/** Changes the payer of bills (BILL-5). */
export const applyPayer = (
  tx: Tx,
  context: ActionContext,
  rows: readonly Bill[],
  to: PayerContact & { readonly kind: 'resident' | 'company'; readonly id: Id },
  missing: readonly Id[] = [],
): Promise<BulkResult> =>
  runAction(
    tx,
    context.scope,
    rows,
    {
      action: 'changePayer',
      now: context.now,
      today: context.today,
      reason: context.reason,
      extraColumns: [
        sql`payer_kind = ${codeOf(payerSide, to.kind)}`,
        sql`payer_id = ${to.id}`,
        sql`payer_name = ${to.name}`,
        sql`payer_mobile = ${to.mobile ?? null}`,
      ],
      decide: row =>
        row.payerId === to.id && row.payerKind === to.kind
          ? '缴费人无变化'
          : {
              change: {},
              extraAudit: { payerKind: to.kind, payerId: to.id, payerName: to.name },
              adjust: { type: 'payer', oldValue: row.payerName, newValue: to.name, amount: 0 },
            },
    },
    missing,
  )

type WithoutSelection<T> = Omit<T, 'ids' | 'sourceType' | 'sourceCodes' | 'feeItemId'>
export type DiscountInput = WithoutSelection<NonNullable<typeof setDiscount.input.T>>

/** The discount of a request. Throws invalidInput naming the missing field. */
export const parseDiscount = ({ kind, amount, percent }: DiscountInput): Discount =>
  kind === 'rate'
    ? {
        kind: 'rate',
        off: percentToFraction(percent ?? refuseField('DiscountRate', '请填写减免比例，0 到 100')),
      }
    : { kind: 'amount', off: amount ?? refuseField('DiscountAmount', '请填写减免金额') }

/** Sets the total discount of each bill, replacing an earlier one; late fees are recomputed. */
export async function discountSpec(
  tx: Tx,
  { scope, today, now, maxReported }: ActionContext,
  input: DiscountInput,
  rows: readonly Bill[],
): Promise<ActionSpec> {
  const discount = parseDiscount(input)
  const late = await createLateFeeUpdater(tx, scope.ownerId, rows, today)
  return {
    action: 'discount',
    now,
    today,
    reason: input.reason,
    maxReported,
    extraColumns: [sql`late_day = ${today}`],
    decide: (row): ActionDecision | string => {
      const off = applyDiscount(toBill(row), discount, late.ruleOf(row))
      if (typeof off === 'string') return off
      return {
        change: late.withLateFee(row, off),
        adjust: {
          type: input.kind === 'rate' ? 'rate' : 'discount',
          oldValue: formatYuan(row.discountAmount),
          newValue:
            input.kind === 'rate'
              ? `${input.percent}% 即 ${displayYuan(defined(off.discount))}`
              : formatYuan(defined(off.discount)),
          amount: subtractFen(defined(off.discount), row.discountAmount),
        },
      }
    },
  }
}

export async function applyDiscounts(
  tx: Tx,
  context: ActionContext,
  input: DiscountInput,
  rows: readonly Bill[],
  missing: readonly Id[] = [],
): Promise<BulkResult> {
  return runAction(tx, context.scope, rows, await discountSpec(tx, context, input, rows), missing)
}

export type LateFeeInput = WithoutSelection<NonNullable<typeof setLateFee.input.T>>

export const assertLateFeeInput = ({ kind, amount }: LateFeeInput): void => {
  if (kind === 'fix' && amount === undefined) {
    refuseField('LateFee', '请填写违约金定额')
  }
}

/** Adjusts the late fee of each bill from what it owes today (LATE-8). */
export async function applyLateFees(
  tx: Tx,
  { scope, today, now, maxReported }: ActionContext,
  input: LateFeeInput,
  rows: readonly Bill[],
  missing: readonly Id[] = [],
): Promise<BulkResult> {
  const { kind, amount, reason } = input
  assertLateFeeInput(input)
  const late = await createLateFeeUpdater(tx, scope.ownerId, rows, today)
  return runAction(
    tx,
    scope,
    rows,
    {
      action: 'lateFee',
      now,
      today,
      reason,
      maxReported,
      extraColumns: [sql`late_day = ${today}`],
      decide: (row): ActionDecision | string => {
        const rule = late.ruleOf(row)
        const bill = { ...toBill(row), ...late.withLateFee(row, {}) }
        const lateUnpaidNow = lateUnpaid(bill)
        if (lateUnpaidNow === 0 && !rule.late.on && kind !== 'fix')
          return '没有未收的违约金，收费项目也未启用违约金'
        const adjustment: LateFeeAdjustment =
          kind === 'waive'
            ? { kind, amount: amount ?? lateUnpaidNow }
            : kind === 'fix'
              ? { kind, amount: defined(amount) }
              : { kind, accrued: late.accruedLateFee(row) }
        const adjusted = adjustLateFee(bill, adjustment, rule)
        if (typeof adjusted === 'string') return adjusted
        const after = { ...bill, ...adjusted }
        return {
          change: { lateDue: bill.lateDue, ...adjusted },
          adjust: {
            type: kind === 'waive' ? 'lateWaive' : 'lateFix',
            oldValue: formatYuan(lateUnpaidNow),
            newValue:
              kind === 'auto' ? `自动 ${displayYuan(lateUnpaid(after))}` : formatYuan(lateUnpaid(after)),
            amount: subtractFen(lateUnpaid(after), lateUnpaidNow),
          },
        }
      },
    },
    missing,
  )
}

/** Locks the selected bills; returns them and the ids that no longer exist. */
export const lockSelection = async (
  tx: Tx,
  scope: Scope,
  selection: BillSelection,
): Promise<[Bill[], Id[]]> => {
  const rows = await lockBills(tx, scope, selectionCondition(scope, selection))
  return [rows, findMissingIds(selection.ids ?? [], rows)]
}

/** Discounts bills by id, or the open bills of objects. */
export const discountBills = async (
  tx: Tx,
  context: ActionContext,
  { ids, sourceType, sourceCodes, feeItemId, ...input }: NonNullable<typeof setDiscount.input.T>,
): Promise<BulkResult> =>
  applyDiscounts(
    tx,
    context,
    input,
    ...(await lockSelection(tx, context.scope, { ids, sourceType, sourceCodes, feeItemId })),
  )

/** Waives what is left of the late fees of bills. */
export const waiveLateFees = async (
  tx: Tx,
  context: ActionContext,
  ids: readonly Id[],
  reason: string,
): Promise<BulkResult> =>
  applyLateFees(
    tx,
    context,
    { kind: 'waive', reason },
    ...(await lockSelection(tx, context.scope, { ids: ids.map(String) })),
  )
