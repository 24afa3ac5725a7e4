import type { FieldFault } from '#kit/contract/wire.ts'
import { asFen, displayYuan, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { Activity } from '../contract/activity.ts'
import type { cancelSource, SignPayState, SignState } from '../contract/choices.ts'
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

/** What all bills of a sign-up say together: those that count, and whether money of any has gone back. */
export interface SignBills {
  readonly bills: readonly SignBill[]
  readonly hasRefund: boolean
}

function payStateOf(state: SignState, { bills, hasRefund }: SignBills, paid: Fen): SignPayState | undefined {
  if (isComing(state) && bills.length > 0) return bills.every(bill => bill.isPaid) ? 'paid' : 'unpaid'
  if (paid > 0) return 'refundDue'
  return hasRefund ? 'refunded' : undefined
}

/** What a sign-up owes, has paid and gets back, by its bills and by whether it stands. */
export function moneyOfSign({ state }: Pick<ActivitySign, 'state'>, facts: SignBills): SignMoney {
  const { bills } = facts
  const paidAmount = sumFen(bills.map(({ paid }) => paid))
  const payState = payStateOf(state, facts, paidAmount)
  return {
    payState,
    feeAmount: isComing(state) ? sumFen(bills.map(({ receivable }) => receivable)) : asFen(0),
    paidAmount,
    refundDue: payState === 'refundDue' ? paidAmount : asFen(0),
  }
}

/** Whose bills stop a cancellation, by name. */
export interface StoppedBy {
  readonly paying: readonly string[]
  readonly partlyPaid: readonly string[]
}

const maxNames = 5

const countedNames = (names: readonly string[], fact: string): readonly string[] =>
  names.length
    ? [
        `${names.length} 人的费用${fact}：${names.slice(0, maxNames).join('、')}${names.length > maxNames ? '等' : ''}`,
      ]
    : []

/** The whole activity: whose payments are to end or to be completed first. */
function activityRefusal({ paying, partlyPaid }: StoppedBy): string {
  const facts = [...countedNames(paying, '正在支付中'), ...countedNames(partlyPaid, '只缴了一部分')]
  const advice = [
    ...(paying.length ? ['等支付完成或关闭支付单'] : []),
    ...(partlyPaid.length ? ['在报名名单收齐或退款'] : []),
  ]
  return `${facts.join('；')}，请${advice.join('、')}后再取消活动`
}

/** Why nobody cancels now, as who cancels can do something about it; nothing where they may. */
export function cancelRefusal(by: ChoiceOf<typeof cancelSource>, stopped: StoppedBy): string | undefined {
  if (!stopped.paying.length && !stopped.partlyPaid.length) return undefined
  if (by === 'activity') return activityRefusal(stopped)
  const isPaying = stopped.paying.length > 0
  if (by === 'resident')
    return isPaying
      ? '费用正在支付中，请完成支付，或在「我的账单」取消支付后再取消报名'
      : '费用只缴了一部分，不能自行取消报名，请联系物业办理'
  return isPaying
    ? '费用正在支付中，请等支付完成或关闭支付单后再取消报名'
    : '费用只缴了一部分，请先在收银台收齐或退款，再取消报名'
}

/** Why a sign-up that ended owes nothing any more; nothing where it stands. */
export function endedRefusal(sign: Pick<ActivitySign, 'state' | 'cancelBy'> | undefined): string | undefined {
  if (!sign) return '报名已删除，不再收费'
  if (sign.state !== 'cancelled') return undefined
  return sign.cancelBy === 'activity'
    ? '报名已取消，不再收费：活动已取消'
    : '报名已取消，不再收费；如需参加，请重新报名'
}
