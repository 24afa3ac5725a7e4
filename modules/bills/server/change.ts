import { labelOf } from '#kit/contract/field.ts'
import { refuse, stale, wrong } from '#kit/contract/wire.ts'
import { formatYuan } from '#kit/domain/money.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handle.ts'
import type { Scope } from '#kit/server/scope.ts'
import { byIds, inDomain, need } from '#kit/server/table.ts'
import { company } from '#modules/companies/contract/company.ts'
import { residentsById } from '#modules/residents/server/public.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { changePayer, editAmount, markBills, putDiscount, putLateFee } from '../contract/actions.ts'
import {
  discounted,
  lateAdjusted,
  partOf,
  reamounted,
  type Discount,
  type LateAdjust,
} from '../domain/adjust.ts'
import { lateUnpaid, withMoney, type Change } from '../domain/bill.ts'
import { accrued, lateDueOf } from '../domain/late-fee.ts'
import { actOn, actOnOne, type Answer, type Decided } from './act.ts'
import { noneOf, type Deed } from './actions.ts'
import { dressed, locked, meantCondition, type Meant } from './find.ts'
import { movesOf, rulesOf, type Rule } from './late.ts'
import { toBill } from './stored-bill.ts'

/**
 * Late fees follow the principal at once: whoever changes it has them reckoned anew from the first day
 * (LATE-6).
 */
export async function lateAfter(
  db: Db,
  owner: number,
  rows: readonly Bill[],
  today: string,
): Promise<{
  readonly ruleOf: (b: Bill) => Rule
  readonly follow: (row: Bill, change: Change) => Change
  readonly auto: (row: Bill) => number
}> {
  const ruleOf = await rulesOf(db, owner, rows)
  const moves = await movesOf(
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
          { lateDue: lateDueOf(b, rule.late, moves.get(row.id) ?? [], today) },
          rule.principalSettles,
        ),
      }
    },
    auto: row =>
      accrued(
        ruleOf(row).late,
        { dueDate: row.dueDate, principal: row.receivable, moves: moves.get(row.id) ?? [] },
        today,
      ),
  }
}

const badField = (field: string, message: string): never => {
  throw wrong([{ Field: field, Message: message }])
}

interface Payer {
  readonly name: string
  readonly mobile?: string | undefined
}

/** A resident or a company of the caller's domain, as it is called now. */
async function payerNamed(db: Db, scope: Scope, kind: 'resident' | 'company', id: number): Promise<Payer> {
  if (kind === 'company') {
    const [c] = await byIds(db, company, scope, [id])
    return c
      ? { name: c.name, mobile: c.contactPhone }
      : badField('PayerID', '该企业不存在或已被删除，请重新选择')
  }
  const [p] = await residentsById(db, scope, [id])
  return p ? { name: p.name, mobile: p.mobile } : badField('PayerID', '该住户不存在或已被删除，请重新选择')
}

/** From now on somebody else is asked to pay (BILL-5). */
export const asks = (
  tx: Tx,
  d: Deed,
  rows: readonly Bill[],
  to: Payer & { readonly kind: 'resident' | 'company'; readonly id: number },
  absent: readonly number[] = [],
): Promise<Answer> =>
  actOn(
    tx,
    d.scope,
    rows,
    {
      action: 'changePayer',
      now: d.now,
      today: d.today,
      reason: d.reason,
      also: [
        sql`payer_kind = ${to.kind === 'company' ? 2 : 1}`,
        sql`payer_id = ${to.id}`,
        sql`payer_name = ${to.name}`,
        sql`payer_mobile = ${to.mobile ?? null}`,
      ],
      decide: row =>
        row.payerId === to.id && row.payerKind === to.kind
          ? '缴费人没有变化'
          : {
              change: {},
              beside: { payerKind: to.kind, payerId: to.id, payerName: to.name },
              adjust: { type: 'payer', old: row.payerName, now: to.name, amount: 0 },
            },
    },
    absent,
  )

type Said<T> = Omit<T, 'ids' | 'sourceType' | 'sourceCodes' | 'feeItemId'>
export type Discounting = Said<NonNullable<typeof putDiscount.input.T>>

/** What is let off, or the field that does not say it. */
export const discountOf = ({ kind, amount, percent }: Discounting): Discount =>
  kind === 'rate'
    ? { kind: 'rate', off: partOf(percent ?? badField('DiscountRate', '请填写减免比例，0 到 100')) }
    : { kind: 'amount', off: amount ?? badField('DiscountAmount', '请填写减免金额') }

/** The whole discount of each bill, not one more; late fees follow it. */
export async function discountRows(
  tx: Tx,
  { scope, today, now, most }: Deed,
  said: Discounting,
  rows: readonly Bill[],
  absent: readonly number[] = [],
): Promise<Answer> {
  const d = discountOf(said)
  const late = await lateAfter(tx, scope.ownerId, rows, today)
  return actOn(
    tx,
    scope,
    rows,
    {
      action: 'discount',
      now,
      today,
      reason: said.reason,
      most,
      also: [sql`late_day = ${today}`],
      decide: (row): Decided | string => {
        const off = discounted(toBill(row), d, late.ruleOf(row).principalSettles)
        if (typeof off === 'string') return off
        return {
          change: late.follow(row, off),
          adjust: {
            type: said.kind === 'rate' ? 'rate' : 'discount',
            old: formatYuan(row.discountAmount),
            now:
              said.kind === 'rate'
                ? `${said.percent}% 即 ${formatYuan(off.discount!)}`
                : formatYuan(off.discount!),
            amount: off.discount! - row.discountAmount,
          },
        }
      },
    },
    absent,
  )
}

export type LateFixing = Said<NonNullable<typeof putLateFee.input.T>>

export const lateFixes = ({ kind, amount }: LateFixing): void => {
  if (kind === 'fix' && amount === undefined) {
    badField('LateFee', '请填写违约金定额')
  }
}

/** LATE-8 of each bill, over what it owes today. */
export async function adjustLate(
  tx: Tx,
  { scope, today, now, most }: Deed,
  said: LateFixing,
  rows: readonly Bill[],
  absent: readonly number[] = [],
): Promise<Answer> {
  const { kind, amount, reason } = said
  lateFixes(said)
  const late = await lateAfter(tx, scope.ownerId, rows, today)
  return actOn(
    tx,
    scope,
    rows,
    {
      action: 'lateFee',
      now,
      today,
      reason,
      most,
      also: [sql`late_day = ${today}`],
      decide: (row): Decided | string => {
        const rule = late.ruleOf(row)
        const b = { ...toBill(row), ...late.follow(row, {}) }
        const left = lateUnpaid(b)
        if (left === 0 && !rule.late.on && kind !== 'fix') return '没有未收的违约金，收费项目也没有启用违约金'
        const a: LateAdjust =
          kind === 'waive'
            ? { kind, amount: amount ?? left }
            : kind === 'fix'
              ? { kind, amount: amount! }
              : { kind, accrued: late.auto(row) }
        const done = lateAdjusted(b, a, rule.principalSettles)
        if (typeof done === 'string') return done
        const after = { ...b, ...done }
        return {
          change: { lateDue: b.lateDue, ...done },
          adjust: {
            type: kind === 'waive' ? 'lateWaive' : 'lateFix',
            old: formatYuan(left),
            now: kind === 'auto' ? `自动 ${formatYuan(lateUnpaid(after))}` : formatYuan(lateUnpaid(after)),
            amount: lateUnpaid(after) - left,
          },
        }
      },
    },
    absent,
  )
}

/** The bills that are meant, locked; those that are no longer there. */
const meantBills = async (tx: Tx, scope: Scope, m: Meant): Promise<[Bill[], number[]]> => {
  const rows = await locked(tx, scope, meantCondition(scope, m))
  return [rows, noneOf(m.ids ?? [], rows)]
}

/** Bills by id, or the open ones of objects. */
export const discountBills = async (
  tx: Tx,
  d: Deed,
  { ids, sourceType, sourceCodes, feeItemId, ...said }: NonNullable<typeof putDiscount.input.T>,
): Promise<Answer> =>
  discountRows(tx, d, said, ...(await meantBills(tx, d.scope, { ids, sourceType, sourceCodes, feeItemId })))

export const changeHandlers = [
  writes(putDiscount, (said, { tx, scope, today, now }) => discountBills(tx, { scope, today, now }, said)),
  writes(
    putLateFee,
    async ({ ids, sourceType, sourceCodes, feeItemId, ...said }, { tx, scope, today, now }) =>
      adjustLate(
        tx,
        { scope, today, now },
        said,
        ...(await meantBills(tx, scope, { ids, sourceType, sourceCodes, feeItemId })),
      ),
  ),
  writes(changePayer, async ({ ids, payerKind, payerId, reason }, { tx, scope, today, now }) => {
    const payer = await payerNamed(tx, scope, payerKind, payerId)
    const rows = await locked(tx, scope, meantCondition(scope, { ids }))
    const have = new Set(rows.map(r => r.id))
    return asks(
      tx,
      { scope, today, now, reason },
      rows,
      { kind: payerKind, id: payerId, ...payer },
      ids.map(Number).filter(id => !have.has(id)),
    )
  }),
  writes(editAmount, async ({ id, version, amount, reason }, { tx, scope, today, now }) => {
    const row = await fresh(tx, scope, id, version)
    const late = await lateAfter(tx, scope.ownerId, [row], today)
    await actOnOne(tx, scope, row, {
      action: 'editAmount',
      now,
      today,
      reason,
      also: [sql`late_day = ${today}`, sql`price = null`, sql`calc_snapshot = null`],
      decide: r => {
        const said = reamounted(toBill(r), amount)
        return typeof said === 'string'
          ? said
          : {
              change: late.follow(r, said),
              adjust: {
                type: 'amount',
                old: formatYuan(r.amount),
                now: formatYuan(amount),
                amount: amount - r.amount,
              },
            }
      },
    })
    return dressed([await need(tx, bill, scope, id)], scope, today, now)[0]!
  }),
  writes(
    markBills,
    async ({ ids, disputed, promiseDate, clearPromise, remark, clearRemark }, { tx, scope, today }) => {
      if (promiseDate !== undefined && promiseDate < today) {
        badField('PromiseDate', '承诺缴费日不能早于今天')
      }
      const rows = await locked(tx, scope, meantCondition(scope, { ids }))
      const have = new Set(rows.map(r => r.id))
      const good = rows.filter(r => r.state === 'normal' && r.payState === 'unpaid')
      const sets = [
        ...(disputed === undefined ? [] : [sql`disputed = ${disputed}`]),
        ...(promiseDate !== undefined
          ? [sql`promise_date = ${promiseDate}`]
          : clearPromise
            ? [sql`promise_date = null`]
            : []),
        ...(remark !== undefined ? [sql`remark = ${remark}`] : clearRemark ? [sql`remark = null`] : []),
      ]
      if (!sets.length) return refuse('请选择要标记的内容')
      for (const r of rows) {
        inDomain(bill, scope, r)
      }
      await tx.run(
        sql`
          update bill
          set ${sql.join(sets)}, version = version + 1, update_time = now(), update_by = ${scope.operatorId}
          where owner_id = ${scope.ownerId} and id = any(${good.map(r => r.id)})
        `,
      )
      await audit(
        tx,
        scope,
        good.map(r => ({
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
          .filter(r => !good.includes(r))
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
          .filter(id => !have.has(id))
          .map(id => ({ id, reason: '账单不存在或已被删除' })),
      ]
      return { success: good.length, fail: 0, skipped: skipped.length, rows: skipped }
    },
  ),
]

/** One bill, locked, as the caller last saw it (G-8). */
export async function fresh(tx: Db, scope: Scope, id: number, version: number | undefined): Promise<Bill> {
  const row = await need(tx, bill, scope, id, true)
  if (version !== undefined && version !== row.version) throw stale()
  return row
}
