import { labelOf, codeOf } from '#kit/contract/field.ts'
import { refuse, staleVersion, invalidInput } from '#kit/contract/wire.ts'
import { formatYuan } from '#kit/domain/money.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, assertInDomain, requireById } from '#kit/server/table.ts'
import { touch } from '#kit/server/sql.ts'
import { company } from '#modules/companies/contract/company.ts'
import { findResidentsByIds } from '#modules/residents/server/public.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { changePayer, editBillAmount, markBills, setDiscount, setLateFee } from '../contract/actions.ts'
import {
  applyDiscount,
  adjustLateFee,
  percentToFraction,
  changeAmount,
  type Discount,
  type LateFeeAdjustment,
} from '../domain/adjustment.ts'
import { lateUnpaid, withMoney, type BillChange } from '../domain/bill.ts'
import { accrueLateFee, computeLateFeeDue } from '../domain/late-fee.ts'
import { runAction, runActionOnOne, type BulkResult, type ActionDecision } from './action-runner.ts'
import { findMissingIds, type ActionContext } from './actions.ts'
import { presentBills, lockBills, selectionCondition, type BillSelection } from './bill-query.ts'
import { findPrincipalEntries, findBillRules, type BillRule } from './late-fee.ts'
import { toBill } from './stored-bill.ts'

/**
 * Late fees follow the principal at once: whoever changes it has them reckoned anew from the first day
 * (LATE-6).
 */
export async function createLateFeeUpdater(
  db: Db,
  owner: number,
  rows: readonly Bill[],
  today: string,
): Promise<{
  readonly ruleOf: (b: Bill) => BillRule
  readonly follow: (row: Bill, change: BillChange) => BillChange
  readonly auto: (row: Bill) => number
}> {
  const ruleOf = await findBillRules(db, owner, rows)
  const moves = await findPrincipalEntries(
    db,
    owner,
    rows.filter(r => r.paidPrincipal > 0 || r.refundState !== 'none').map(r => r.id),
  )
  return {
    ruleOf,
    follow: (row, change) => {
      const b = { ...toBill(row), ...change }
      const rule = ruleOf(row)
      return {
        ...change,
        ...withMoney(
          b,
          { lateDue: computeLateFeeDue(b, rule.late, moves.get(row.id) ?? [], today) },
          rule.principalSettles,
        ),
      }
    },
    auto: row =>
      accrueLateFee(
        ruleOf(row).late,
        { dueDate: row.dueDate, principal: row.receivable, moves: moves.get(row.id) ?? [] },
        today,
      ),
  }
}

const failField = (field: string, message: string): never => {
  throw invalidInput([{ Field: field, Message: message }])
}

interface PayerContact {
  readonly name: string
  readonly mobile?: string | undefined
}

/** A resident or a company of the caller's domain, as it is called now. */
async function findPayer(
  db: Db,
  scope: Scope,
  kind: 'resident' | 'company',
  id: number,
): Promise<PayerContact> {
  if (kind === 'company') {
    const [c] = await findByIds(db, company, scope, [id])
    return c
      ? { name: c.name, mobile: c.contactPhone }
      : failField('PayerID', '该企业不存在或已被删除，请重新选择')
  }
  const [p] = await findResidentsByIds(db, scope, [id])
  return p ? { name: p.name, mobile: p.mobile } : failField('PayerID', '该住户不存在或已被删除，请重新选择')
}

/** From now on somebody else is asked to pay (BILL-5). */
export const applyPayer = (
  tx: Tx,
  discount: ActionContext,
  rows: readonly Bill[],
  to: PayerContact & { readonly kind: 'resident' | 'company'; readonly id: number },
  missing: readonly number[] = [],
): Promise<BulkResult> =>
  runAction(
    tx,
    discount.scope,
    rows,
    {
      action: 'changePayer',
      now: discount.now,
      today: discount.today,
      reason: discount.reason,
      extraColumns: [
        sql`payer_kind = ${codeOf(payerSide, to.kind)}`,
        sql`payer_id = ${to.id}`,
        sql`payer_name = ${to.name}`,
        sql`payer_mobile = ${to.mobile ?? null}`,
      ],
      decide: row =>
        row.payerId === to.id && row.payerKind === to.kind
          ? '缴费人没有变化'
          : {
              change: {},
              extraAudit: { payerKind: to.kind, payerId: to.id, payerName: to.name },
              adjust: { type: 'payer', old: row.payerName, now: to.name, amount: 0 },
            },
    },
    missing,
  )

type WithoutSelection<T> = Omit<T, 'ids' | 'sourceType' | 'sourceCodes' | 'feeItemId'>
export type DiscountInput = WithoutSelection<NonNullable<typeof setDiscount.input.T>>

/** What is let off, or the field that does not say it. */
export const parseDiscount = ({ kind, amount, percent }: DiscountInput): Discount =>
  kind === 'rate'
    ? {
        kind: 'rate',
        off: percentToFraction(percent ?? failField('DiscountRate', '请填写减免比例，0 到 100')),
      }
    : { kind: 'amount', off: amount ?? failField('DiscountAmount', '请填写减免金额') }

/** The whole discount of each bill, not one more; late fees follow it. */
export async function applyDiscounts(
  tx: Tx,
  { scope, today, now, maxReported }: ActionContext,
  input: DiscountInput,
  rows: readonly Bill[],
  missing: readonly number[] = [],
): Promise<BulkResult> {
  const d = parseDiscount(input)
  const late = await createLateFeeUpdater(tx, scope.ownerId, rows, today)
  return runAction(
    tx,
    scope,
    rows,
    {
      action: 'discount',
      now,
      today,
      reason: input.reason,
      maxReported,
      extraColumns: [sql`late_day = ${today}`],
      decide: (row): ActionDecision | string => {
        const off = applyDiscount(toBill(row), d, late.ruleOf(row).principalSettles)
        if (typeof off === 'string') return off
        return {
          change: late.follow(row, off),
          adjust: {
            type: input.kind === 'rate' ? 'rate' : 'discount',
            old: formatYuan(row.discountAmount),
            now:
              input.kind === 'rate'
                ? `${input.percent}% 即 ${formatYuan(off.discount!)}`
                : formatYuan(off.discount!),
            amount: off.discount! - row.discountAmount,
          },
        }
      },
    },
    missing,
  )
}

export type LateFeeInput = WithoutSelection<NonNullable<typeof setLateFee.input.T>>

export const assertLateFeeInput = ({ kind, amount }: LateFeeInput): void => {
  if (kind === 'fix' && amount === undefined) {
    failField('LateFee', '请填写违约金定额')
  }
}

/** LATE-8 of each bill, over what it owes today. */
export async function applyLateFees(
  tx: Tx,
  { scope, today, now, maxReported }: ActionContext,
  input: LateFeeInput,
  rows: readonly Bill[],
  missing: readonly number[] = [],
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
        const b = { ...toBill(row), ...late.follow(row, {}) }
        const lateUnpaidNow = lateUnpaid(b)
        if (lateUnpaidNow === 0 && !rule.late.on && kind !== 'fix')
          return '没有未收的违约金，收费项目也没有启用违约金'
        const a: LateFeeAdjustment =
          kind === 'waive'
            ? { kind, amount: amount ?? lateUnpaidNow }
            : kind === 'fix'
              ? { kind, amount: amount! }
              : { kind, accrued: late.auto(row) }
        const done = adjustLateFee(b, a, rule.principalSettles)
        if (typeof done === 'string') return done
        const after = { ...b, ...done }
        return {
          change: { lateDue: b.lateDue, ...done },
          adjust: {
            type: kind === 'waive' ? 'lateWaive' : 'lateFix',
            old: formatYuan(lateUnpaidNow),
            now: kind === 'auto' ? `自动 ${formatYuan(lateUnpaid(after))}` : formatYuan(lateUnpaid(after)),
            amount: lateUnpaid(after) - lateUnpaidNow,
          },
        }
      },
    },
    missing,
  )
}

/** The bills that are meant, locked; those that are no longer there. */
const lockSelection = async (tx: Tx, scope: Scope, m: BillSelection): Promise<[Bill[], number[]]> => {
  const rows = await lockBills(tx, scope, selectionCondition(scope, m))
  return [rows, findMissingIds(m.ids ?? [], rows)]
}

/** Bills by id, or the open ones of objects. */
export const discountBills = async (
  tx: Tx,
  discount: ActionContext,
  { ids, sourceType, sourceCodes, feeItemId, ...input }: NonNullable<typeof setDiscount.input.T>,
): Promise<BulkResult> =>
  applyDiscounts(
    tx,
    discount,
    input,
    ...(await lockSelection(tx, discount.scope, { ids, sourceType, sourceCodes, feeItemId })),
  )

export const adjustmentHandlers = [
  writes(setDiscount, (input, { tx, scope, today, now }) => discountBills(tx, { scope, today, now }, input)),
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
    const foundIds = new Set(rows.map(r => r.id))
    return applyPayer(
      tx,
      { scope, today, now, reason },
      rows,
      { kind: payerKind, id: payerId, ...payer },
      ids.map(Number).filter(id => !foundIds.has(id)),
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
      decide: r => {
        const input = changeAmount(toBill(r), amount)
        return typeof input === 'string'
          ? input
          : {
              change: late.follow(r, input),
              adjust: {
                type: 'amount',
                old: formatYuan(r.amount),
                now: formatYuan(amount),
                amount: amount - r.amount,
              },
            }
      },
    })
    return presentBills([await requireById(tx, bill, scope, id)], scope, today, now)[0]!
  }),
  writes(
    markBills,
    async ({ ids, disputed, promiseDate, clearPromise, remark, clearRemark }, { tx, scope, today }) => {
      if (promiseDate !== undefined && promiseDate < today) {
        failField('PromiseDate', '承诺缴费日不能早于今天')
      }
      const rows = await lockBills(tx, scope, selectionCondition(scope, { ids }))
      const foundIds = new Set(rows.map(r => r.id))
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
      for (const r of rows) {
        assertInDomain(bill, scope, r)
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
        markable.map(r => ({
          action: 'update',
          entity: bill.name,
          entityId: r.id,
          projectCode: r.projectCode,
          before: { disputed: r.disputed, promiseDate: r.promiseDate, remark: r.remark },
          after: {
            disputed: disputed ?? r.disputed,
            promiseDate: clearPromise ? undefined : (promiseDate ?? r.promiseDate),
            remark: remark ?? (clearRemark ? undefined : r.remark),
          },
        })),
      )
      const skipped = [
        ...rows
          .filter(r => !markable.includes(r))
          .map(r => ({
            id: r.id,
            code: r.billNo,
            reason:
              r.payState === 'paid'
                ? '账单已缴清，不需要标记'
                : `当前为“${labelOf(bill.fields.state.choices!, r.state)}”，不能标记`,
          })),
        ...ids
          .map(Number)
          .filter(id => !foundIds.has(id))
          .map(id => ({ id, reason: '账单不存在或已被删除' })),
      ]
      return { success: markable.length, fail: 0, skipped: skipped.length, rows: skipped }
    },
  ),
]

/** One bill, locked, as the caller last saw it (G-8). */
export async function lockCurrentBill(
  tx: Db,
  scope: Scope,
  id: number,
  version: number | undefined,
): Promise<Bill> {
  const row = await requireById(tx, bill, scope, id, true)
  if (version !== undefined && version !== row.version) throw staleVersion()
  return row
}
