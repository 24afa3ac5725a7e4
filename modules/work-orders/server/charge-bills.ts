import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { addFen, maxFen, parseYuan, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { codeOf, labelOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'
import { payableBills } from '#modules/bills/server/public.ts'
import { refundState } from '#modules/payments/contract/choices.ts'
import { findOpenBillRefunds, type OpenBillRefund } from '#modules/payments/server/public.ts'
import type { Charge } from '../contract/charge.ts'

/** A bill of a cost that is valid: the bill itself, or one of the parts that it was split into. */
export interface ChargeBill {
  readonly id: Id
  readonly isOwed: boolean
  readonly paidPrincipal: Fen
  readonly paidLate: Fen
}

/**
 * The bills `b` that stand of the cost whose bill is `root`, of the order `orderId`: neither abolished nor
 * split again. The parts of a split share the root and name the order as the whole does. Uses bill_ref.
 */
export const isEffectiveBill = (
  ownerId: Id,
  orderId: RawBuilder<unknown> | Id,
  root: RawBuilder<unknown> | Id,
): RawBuilder<unknown> => sql`b.owner_id = ${ownerId}
  and b.ref_type = 'workOrder'
  and b.ref_id = ${orderId}
  and b.run_root = ${root}
  and ${notDeleted('b')}
  and b.state not in ${codes(billState, 'abolished', 'split')}`

type BilledCharge = Pick<Charge, 'orderId' | 'billId'>
type OwedCharge = BilledCharge & Pick<Charge, 'state' | 'amount' | 'paidAmount'>

/** The bills that stand of a cost; none where it has no bill, or all were abolished. */
export async function findChargeBills(
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  { orderId, billId }: BilledCharge,
): Promise<ChargeBill[]> {
  if (!billId) return []
  const rows = await db.rows<{
    id: Id
    state: number
    payState: number
    principal: string
    late: string
  }>(sql`
    select b.id, b.state, b.pay_state, b.paid_principal::text as principal, b.late_fee_paid::text as late
    from bill b
    where ${isEffectiveBill(ownerId, orderId, billId)}
    order by b.id
  `)
  return rows.map(row => ({
    id: row.id,
    isOwed: row.state === codeOf(billState, 'normal') && row.payState !== codeOf(payState, 'paid'),
    paidPrincipal: parseYuan(row.principal),
    paidLate: parseYuan(row.late),
  }))
}

export const paidOfBill = (bill: ChargeBill): Fen => addFen(bill.paidPrincipal, bill.paidLate)

/** `已申请退款（TK… 待审核、TK… 待审核）`. */
export const describeOpenRefunds = (refunds: readonly OpenBillRefund[]): string =>
  `已申请退款（${refunds.map(({ refundNo, state }) => `${refundNo} ${labelOf(refundState, state)}`).join('、')}）`

/** Nobody is asked to pay what is being refunded. */
export async function assertNotRefunding(
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  charge: BilledCharge,
): Promise<void> {
  const bills = await findChargeBills(db, ownerId, charge)
  const refunds = await findOpenBillRefunds(
    db,
    ownerId,
    bills.map(bill => bill.id),
  )
  if (refunds.length) refuse(`${describeOpenRefunds(refunds)}，退款办结后才能收款`)
}

/** What is to pay for a cost on a day, as the cashier would charge it. */
export interface ChargeDue {
  /** For an overdue bill: what is owed or was paid. */
  readonly lateFee: Fen
  readonly paid: Fen
  readonly due: Fen
}

/**
 * An overdue bill asks for its late fee too (LATE-12): who pays sees and pays what the cashier would charge.
 * A cost without a bill bears none.
 */
export async function findChargeDue(
  db: Db,
  scope: Scope,
  charge: OwedCharge,
  bills: readonly ChargeBill[],
  today: Day,
): Promise<ChargeDue> {
  const owed = charge.state === 'unpaid' ? bills.filter(bill => bill.isOwed).map(bill => bill.id) : []
  const paidLate = sumFen(bills.map(bill => bill.paidLate))
  const paid = addFen(charge.paidAmount, paidLate)
  if (!owed.length) {
    const due = charge.state === 'unpaid' ? subtractFen(charge.amount, charge.paidAmount) : 0
    return { lateFee: paidLate, paid, due }
  }
  const payable = await payableBills(db, systemScope(scope.ownerId, scope.time), owed, today)
  const late = sumFen(payable.map(bill => bill.owed.late))
  const principal = sumFen(payable.map(bill => bill.owed.principal))
  return { lateFee: addFen(paidLate, late), paid, due: addFen(principal, late) }
}

/** The money of a cost: what is to pay, and what of the paid is asked back or may still be. */
export interface ChargeMoney extends ChargeDue {
  readonly refunds: readonly OpenBillRefund[]
  readonly refundable: Fen
}

export async function findChargeMoney(
  db: Db,
  scope: Scope,
  charge: OwedCharge,
  today: Day,
): Promise<ChargeMoney> {
  const bills = await findChargeBills(db, scope.ownerId, charge)
  const refunds = await findOpenBillRefunds(
    db,
    scope.ownerId,
    bills.map(bill => bill.id),
  )
  const asked = sumFen(refunds.map(refund => refund.amount))
  return {
    ...(await findChargeDue(db, scope, charge, bills, today)),
    refunds,
    refundable: maxFen(0, subtractFen(sumFen(bills.map(paidOfBill)), asked)),
  }
}

/** The same as answers hold it. */
export const presentMoney = ({ lateFee, paid, due, refunds }: ChargeMoney) => ({
  lateFee,
  paidTotal: paid,
  dueAmount: due,
  refunds,
})

/** What open refunds ask back of each of these costs. Uses work_order_charge's own bills and bill_ref. */
export async function findRefunding(
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  charges: readonly Pick<Charge, 'id' | 'billId' | 'paidAmount'>[],
): Promise<ReadonlyMap<Id, { readonly refundingAmount: Fen; readonly refundNo: string | undefined }>> {
  const paid = charges.filter(charge => charge.billId && charge.paidAmount > 0)
  if (!paid.length) return new Map()
  const bills = await db.rows<{ id: Id; chargeId: Id }>(sql`
    select b.id, t.id as charge_id
    from work_order_charge t
    join bill b on ${isEffectiveBill(ownerId, sql`t.order_id`, sql`t.bill_id`)}
    where t.owner_id = ${ownerId} and t.id = any(${paid.map(charge => charge.id)}::bigint[])
  `)
  const chargeOf = new Map(bills.map(bill => [bill.id, bill.chargeId]))
  const refunds = await findOpenBillRefunds(
    db,
    ownerId,
    bills.map(bill => bill.id),
  )
  return new Map(
    [...Map.groupBy(refunds, refund => chargeOf.get(refund.billId) ?? 0)].map(([chargeId, list]) => [
      chargeId,
      { refundingAmount: sumFen(list.map(refund => refund.amount)), refundNo: list[0]?.refundNo },
    ]),
  )
}
