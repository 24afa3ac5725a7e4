import type { Id } from '#kit/domain/id.ts'
import { defineStateMachine } from '#kit/domain/state-machine.ts'
import { labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import {
  type channel,
  type orderState,
  type orderType,
  type payType,
  orderState as words,
  orderType as orderTypes,
} from '../contract/choices.ts'

export type OrderState = ChoiceOf<typeof orderState>

/** C5.1; a closed order whose money came after all is paid (PAY-5). */
export const orderStates = defineStateMachine<OrderState>(
  {
    waiting: ['paying', 'paid', 'closed'],
    paying: ['paid', 'closed', 'failed'],
    paid: ['refunded'],
    closed: ['paid'],
    failed: ['paying'],
    refunded: [],
  },
  { state: s => labelOf(words, s) },
)

/** Minutes for which an order holds its bills (PAY-1). */
export const orderHoldMinutes = 15

/** The project of an order that the company as a whole pays. */
export const companyWideProject = '0'

/** Whose account at the channel the money goes to: what a company buys of the platform is the platform's. */
export const payeeOf = (t: ChoiceOf<typeof orderType>): Payee =>
  t === 'renewal' || t === 'sms' ? 'platform' : 'company'

export type Payee = 'company' | 'platform'

/** `refType` of an order that consists of prepaid bills alone (TMP-2). */
export const prepaidOrderRef = 'prepaid'

export const isPrepaidOrder = (order: { readonly refType?: string | undefined }): boolean =>
  order.refType === prepaidOrderRef

interface ScanRequest {
  readonly orderType?: ChoiceOf<typeof orderType> | undefined
  readonly payType?: ChoiceOf<typeof payType> | undefined
}

/**
 * Why an order cannot be charged as asked; nothing when it can. The business type is of the caller's screen:
 * another one than the order's means that the wrong thing would be paid.
 */
export function scanRefusal(
  order: { readonly orderType: ChoiceOf<typeof orderType> },
  request: ScanRequest,
): string | undefined {
  if (request.orderType !== undefined && request.orderType !== order.orderType)
    return `该支付单是「${labelOf(orderTypes, order.orderType)}」，不是「${labelOf(orderTypes, request.orderType)}」，请核对后重新发起`
  if (request.payType !== undefined && request.payType !== 'scanner' && request.payType !== 'pos')
    return '此处只能用扫码枪或 POS 收款，请更换方式'
  return undefined
}

interface CounterOrder {
  readonly state: OrderState
  readonly orderType: ChoiceOf<typeof orderType>
  readonly channel?: unknown
  readonly expireTime: Moment
  readonly lines?: readonly { readonly billId: Id }[] | undefined
}

/**
 * Why the bills of an order cannot be paid at the counter; nothing when they can. Once a channel knows the
 * order, the payer may be paying there.
 */
export function offlineOrderRefusal(
  order: CounterOrder,
  billIds: readonly Id[],
  now: Moment,
): string | undefined {
  if (order.orderType !== 'bill') return '该支付单不能在柜台收款'
  if (order.state === 'paying' || order.channel !== undefined)
    return '该支付单已发往支付渠道，请等待结果，或取消后重新办理'
  if (order.state !== 'waiting') return `该支付单${labelOf(words, order.state)}，请重新办理`
  if (order.expireTime <= now) return '该支付单已过期，请重新办理'
  const ordered = new Set((order.lines ?? []).map(line => line.billId))
  return ordered.size === billIds.length && billIds.every(id => ordered.has(id))
    ? undefined
    : '账单与支付单不一致，请刷新后重试'
}

interface KnownOrder {
  readonly state: OrderState
  readonly amount: Fen
  readonly transactionId?: string | undefined
}

interface ReportedPayment {
  readonly amount: Fen
  readonly transactionId: string
}

/**
 * What a channel's news of money does to an order, from whatever source (PAY-3): nothing new, money that does
 * not fit (PAY-6), money for what is no longer owed or was paid before (PAY-5), or what the order waited for.
 */
export function judgePayment(
  order: KnownOrder,
  reported: ReportedPayment,
  owed: boolean,
): 'known' | 'odd' | 'double' | 'late' | 'settle' {
  const isFinal = order.state === 'paid' || order.state === 'refunded'
  if (isFinal && order.transactionId === reported.transactionId) return 'known'
  if (reported.amount !== order.amount) return 'odd'
  return isFinal ? 'double' : owed ? 'settle' : 'late'
}

/** Whose code a scanner has read: WeChat's begin with 10 to 15, Alipay's with 25 to 30. */
export const channelOfAuthCode = (code: string): ChoiceOf<typeof channel> | undefined =>
  /^1[0-5]\d{16}$/.test(code) ? 'wechat' : /^(2[5-9]|30)\d{14,22}$/.test(code) ? 'alipay' : undefined

const payTitles: Partial<Record<ChoiceOf<typeof orderType>, string>> = {
  parking: '支付停车费',
  sms: '购买短信',
  renewal: '支付产品费用',
}

/** The heading of the page on which an order is paid. */
export const payTitleOf = (order: { readonly orderType: ChoiceOf<typeof orderType> }): string =>
  payTitles[order.orderType] ?? '支付物业费用'
