import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { addFen, displayYuan, type Fen, subtractFen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { billSource, billState, invoiceState, payState, refundState } from '../contract/choices.ts'

export type BillState = ChoiceOf<typeof billState>

/** The money of a bill, in fen (C3.1). */
export interface BillMoney {
  readonly amount: Fen
  readonly discount: Fen
  readonly paidPrincipal: Fen
  readonly lateDue: Fen
  readonly latePaid: Fen
  readonly lateWaived: Fen
  /** The late fee was set by hand and no longer grows (LATE-8 B). */
  readonly lateManual: boolean
}

/** A bill as far as its rules look at it. */
export interface Bill extends BillMoney {
  readonly id: Id
  readonly begin: Day
  readonly end: Day
  readonly dueDate: Day
  readonly state: BillState
  readonly payState: ChoiceOf<typeof payState>
  /** In payment until then (LockState 1). */
  readonly lockedUntil?: Moment | undefined
  readonly refundState: ChoiceOf<typeof refundState>
  readonly invoiceState: ChoiceOf<typeof invoiceState>
  readonly deleted: boolean
  readonly source: ChoiceOf<typeof billSource>
  /** Deposits bear no late fee (LATE-4). */
  readonly deposit: boolean
  readonly notified: boolean
}

export const receivable = (b: Pick<BillMoney, 'amount' | 'discount'>): Fen =>
  subtractFen(b.amount, b.discount)

export const unpaidPrincipal = (b: Pick<BillMoney, 'amount' | 'discount' | 'paidPrincipal'>): Fen =>
  subtractFen(receivable(b), b.paidPrincipal)

export const lateUnpaid = (b: Pick<BillMoney, 'lateDue' | 'latePaid' | 'lateWaived'>): Fen =>
  subtractFen(b.lateDue, b.latePaid, b.lateWaived)

export const unpaid = (b: BillMoney): Fen => addFen(unpaidPrincipal(b), lateUnpaid(b))

/** What the fee item of a bill decides about paying it. */
export interface SettlementRule {
  /** 本金缴清即结清: the bill is settled when its principal is paid. */
  readonly principalSettles?: boolean
}

/** A bill is paid when no principal is left, nor a late fee unless the principal settles it (C3.1). */
export const payStateOf = (b: BillMoney, rule: SettlementRule = {}): Bill['payState'] =>
  unpaidPrincipal(b) === 0 && (rule.principalSettles || lateUnpaid(b) === 0) ? 'paid' : 'unpaid'

export const isLocked = (b: Pick<Bill, 'lockedUntil'>, now: Moment): boolean =>
  b.lockedUntil !== undefined && b.lockedUntil > now

/** The equations of C3.1 that the amounts of a bill violate; empty when all are met. */
export function moneyFaults(
  billMoney: BillMoney & Partial<Pick<Bill, 'payState'>>,
  rule: SettlementRule = {},
): string[] {
  const faults: string[] = []
  const { amount, discount, paidPrincipal, lateDue, latePaid, lateWaived } = billMoney
  const amounts = {
    原始金额: amount,
    减免: discount,
    已收本金: paidPrincipal,
    应计违约金: lateDue,
    已收违约金: latePaid,
    减免违约金: lateWaived,
  }
  for (const [name, fen] of Object.entries(amounts)) {
    if (!Number.isSafeInteger(fen) || fen < 0) {
      faults.push(`${name}应为不小于零的整数分`)
    }
  }
  // Nothing is computed of what is no fen.
  if (!Object.values(amounts).every(Number.isSafeInteger)) return faults
  if (receivable(billMoney) < 0) {
    faults.push(`减免 ${displayYuan(discount)} 大于原始金额 ${displayYuan(amount)}`)
  }
  if (unpaidPrincipal(billMoney) < 0) {
    faults.push(`已收本金 ${displayYuan(paidPrincipal)} 大于应收 ${displayYuan(receivable(billMoney))}`)
  }
  if (lateUnpaid(billMoney) < 0) {
    faults.push(`已收与减免的违约金大于应计 ${displayYuan(lateDue)}`)
  }
  if (billMoney.payState !== undefined && billMoney.payState !== payStateOf(billMoney, rule)) {
    faults.push(`缴费状态与金额不符，应为${payStateOf(billMoney, rule) === 'paid' ? '已缴' : '未缴'}`)
  }
  return faults
}

/** A change of a bill; what is absent stays. */
export type BillChange = Partial<Omit<Bill, 'id'>>

/** A change of money with the pay state that follows from it (C3.1). */
export const withMoney = (b: Bill, change: Partial<BillMoney>, rule: SettlementRule = {}): BillChange => ({
  ...change,
  payState: payStateOf({ ...b, ...change }, rule),
})
