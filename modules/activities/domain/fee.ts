import type { FieldFault } from '#kit/contract/wire.ts'
import { asFen, displayYuan, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import type { Activity } from '../contract/activity.ts'
import type { SignPayState, SignState } from '../contract/choices.ts'
import type { ActivitySign } from '../contract/sign.ts'

type FeeTerms = Pick<Activity, 'fee' | 'feeItemId'>

/** A fee has an item; neither changes once somebody has signed up or waits. */
export function feeFaults(
  { fee = 0, feeItemId }: FeeTerms,
  before: (FeeTerms & Pick<Activity, 'signCount' | 'waitCount'>) | undefined,
): FieldFault[] {
  const isTaken = before !== undefined && before.signCount + before.waitCount > 0
  if (isTaken && fee !== (before.fee ?? 0))
    return [
      { Field: 'Fee', Message: `已有住户报名，费用不能修改，请恢复为 ${displayYuan(before.fee ?? 0)} 元` },
    ]
  if (isTaken && fee > 0 && feeItemId !== before.feeItemId)
    return [{ Field: 'FeeItemID', Message: '已有住户报名，收费项目不能修改，请恢复原来的项目' }]
  return fee > 0 && feeItemId === undefined ? [{ Field: 'FeeItemID', Message: '收费活动请选择收费项目' }] : []
}

export const hasFee = ({ fee = 0 }: Pick<Activity, 'fee'>): boolean => fee > 0

export const feeText = ({ fee = 0 }: Pick<Activity, 'fee'>): string =>
  fee === 0 ? '免费' : `${displayYuan(fee)} 元/人`

type SignFee = Pick<ActivitySign, 'payState' | 'feeAmount' | 'paidAmount'>

/** What a sign-up still owes of its fee, without late fee. */
export const owedOf = ({ payState, feeAmount, paidAmount }: SignFee): Fen =>
  payState === 'unpaid' ? subtractFen(feeAmount, paidAmount) : asFen(0)

/** For staff at the place. */
export const unpaidText = (sign: SignFee): string =>
  sign.payState === 'unpaid' ? `未缴费 ${displayYuan(owedOf(sign))} 元` : ''

export const unpaidMark = (sign: SignFee): string =>
  sign.payState === 'unpaid' ? `，${unpaidText(sign)}` : ''

export const feeOf = ({ fee = 0 }: Pick<Activity, 'fee'>, persons: number): Fen => asFen(fee * persons)

/** A bill of a sign-up that counts. */
export interface SignBill {
  readonly isPaid: boolean
  readonly receivable: Fen
  readonly paid: Fen
}

export type SignMoney = Pick<ActivitySign, 'payState' | 'feeAmount' | 'paidAmount' | 'refundDue'>

const isComing = (state: SignState): boolean => state === 'signed' || state === 'checkedIn'

const wasPaid = (before: SignPayState | undefined): boolean => before !== undefined && before !== 'unpaid'

function payStateOf(
  sign: Pick<ActivitySign, 'state' | 'payState'>,
  bills: readonly SignBill[],
  paid: Fen,
): SignPayState | undefined {
  if (isComing(sign.state) && bills.length > 0) return bills.every(bill => bill.isPaid) ? 'paid' : 'unpaid'
  if (paid > 0) return 'refundDue'
  return wasPaid(sign.payState) ? 'refunded' : undefined
}

/** What a sign-up owes, has paid and gets back, by its bills and by whether it stands. */
export function moneyOfSign(
  sign: Pick<ActivitySign, 'state' | 'payState'>,
  bills: readonly SignBill[],
): SignMoney {
  const paidAmount = sumFen(bills.map(({ paid }) => paid))
  const payState = payStateOf(sign, bills, paidAmount)
  return {
    payState,
    feeAmount: isComing(sign.state) ? sumFen(bills.map(({ receivable }) => receivable)) : asFen(0),
    paidAmount,
    refundDue: payState === 'refundDue' ? paidAmount : asFen(0),
  }
}

/** By whom a sign-up is cancelled while a payment of its bill is under way. */
export const payingRefusals = {
  resident: '费用正在支付中，请完成支付，或在「我的账单」取消支付后再取消报名',
  staff: '费用正在支付中，请等支付完成或关闭支付单后再取消报名',
  activity: '有报名的费用正在支付中，请等支付完成或关闭支付单后再取消活动',
} as const

export const partlyPaidRefusal = '费用只缴了一部分，请先在收银台收齐或退款，再取消报名'
