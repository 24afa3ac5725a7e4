import type { Id } from '#kit/domain/id.ts'
import { useCallback, useRef, useState, useEffect } from 'react'
import type { Day } from '#kit/domain/day.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Fen } from '#kit/domain/money.ts'
import { Refused, type FieldFault } from '#kit/contract/wire.ts'
import { useSend } from '#kit/web/query.ts'
import { RequestFailure } from '#kit/web/send.ts'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { createOrder, type OrderView } from '../contract/order.ts'
import { payBills } from '../contract/payment.ts'
import { depositMixRefusal } from '../domain/deposit-bills.ts'
import { findTenderFault, type TenderFault } from '../domain/tender-faults.ts'
import { menu } from '../module.ts'
import type { CashierBill, CashierView } from './cashier-extensions.ts'
import { confirmChange } from './confirm-change.ts'
import { focusBillsAfterDialog } from './focus-bills.ts'
import { errorMessageOf } from './error-message.ts'
import { describePayment } from './describe-payment.ts'
import { tenderLinesOf, type TenderForm } from './use-tender-form.ts'
import { useOfflineResend, type OfflinePayment } from './use-offline-resend.ts'
import type { useReceipts } from './use-receipts.tsx'

type PaymentRequest = NonNullable<typeof payBills.input.T>

/** The place of a fault: at its amount, or above the button. */
export interface PaymentFault {
  readonly at: TenderFault['at'] | 'foot'
  readonly message: string
}

export interface CollectPaymentInput {
  readonly project: string
  readonly view: CashierView
  readonly bills: readonly CashierBill[]
  /** Fen that the bills owe, as shown (PAY-1). */
  readonly total: Fen
  readonly form: TenderForm
  /** A past day to which the payment is dated (PAY-9). */
  readonly payDay: Day | undefined
  readonly remark: string
  readonly printsReceipt: boolean
  readonly receipts: ReturnType<typeof useReceipts>
  readonly onRefresh: () => void
  readonly onDone: () => void
}

export interface CollectPayment {
  /** Takes the money by hand, at once. */
  readonly collect: () => Promise<void>
  /** Starts an order for a channel and shows it; a payer's code that was read before is sent to it. */
  readonly start: (authCode: string | undefined) => Promise<void>
  /** A new order for the same bills. */
  readonly createBillOrder: () => Promise<OrderView>
  readonly order: OrderView | undefined
  /** The payer's code for the order that is shown. */
  readonly authCode: string | undefined
  readonly closeOrder: () => void
  readonly finishOrder: (order: OrderView) => void
  readonly fault: PaymentFault | undefined
  readonly isPending: boolean
  /** The payment that waits for the network, and the decision whether to send it. */
  readonly offline: OfflinePayment | undefined
  readonly waitForNetwork: () => void
  readonly cancelWaiting: () => void
}

/** What both ways of paying send. */
const billsRequestOf = ({ project, bills, total, remark }: CollectPaymentInput) => ({
  projectCode: project,
  billIds: bills.map(bill => String(bill.billId)),
  expectAmount: total,
  ...(remark.trim() ? { remark: remark.trim() } : {}),
})

const noonOf = (day: Day): Moment => `${day} 12:00:00`

const tendersRequestOf = ({ form, payDay }: CollectPaymentInput) => ({
  methods: tenderLinesOf(form),
  roundOff: form.off > 0,
  excessToPrestore: form.choices.keepsChange && form.sums.excess > 0,
  ...(payDay ? { payTime: noonOf(payDay) } : {}),
})

const payerRequestOf = ({ payerKind, payerId, payerName }: CashierView) => ({
  ...(payerKind && payerId ? { payerKind, payerId } : {}),
  ...(payerName ? { payerName } : {}),
})

const collectFailureText = (error: unknown): string => {
  const message = errorMessageOf(error, '收款失败')
  return error instanceof RequestFailure ? `${message}。收款结果未知，请先刷新查看，不要重复收款` : message
}

const notSentText = '网络已断开，本次收款未提交'
const unknownText = '网络中断，收款结果未知。恢复后请先在「收款记录」核对，不要重复收款'

/** No answer at all, as opposed to one that says no. */
const isNetworkFailure = (error: unknown): boolean => error instanceof RequestFailure && error.status === 0

/** A refusal of the tenders is shown at the amount. */
const isTenderRefusal = (error: unknown): boolean =>
  error instanceof Refused &&
  Array.isArray(error.data) &&
  error.data.some((fault: FieldFault) => fault.Field === 'MethodJson')

/** Deposits and fees are not paid together: reported before the server is called. */
const mixFault = (bills: readonly CashierBill[]): PaymentFault | undefined => {
  const message = depositMixRefusal(bills)
  return message === undefined ? undefined : { at: 'foot', message }
}

/** Opens the receipt of a payment where one is printed; otherwise the counter is done. */
function useShowReceipt({
  receipts,
  printsReceipt,
  onDone,
}: Pick<CollectPaymentInput, 'receipts' | 'printsReceipt' | 'onDone'>): (recordId: Id | undefined) => void {
  const hasPermission = usePermission()
  const isPrinted = printsReceipt && hasPermission(menu.record.permissions.print)
  return useCallback(
    recordId => {
      if (isPrinted && recordId !== undefined) {
        receipts.open([recordId])
      } else {
        onDone()
      }
    },
    [isPrinted, onDone, receipts],
  )
}

/**
 * Why a payment failed; what was refused for the bills' sake is fetched again, another may have paid them.
 */
function usePaymentFault(onRefresh: () => void) {
  const [fault, setFault] = useState<PaymentFault>()
  const showFailure = (message: string, at: PaymentFault['at'] = 'foot'): void => {
    setFault({ at, message })
    if (at === 'foot') {
      onRefresh()
    }
  }
  return { fault, setFault, showFailure }
}

type FaultState = ReturnType<typeof usePaymentFault>

/** Takes the money by hand; without a network it asks whether to do so later. */
function useCollect(input: CollectPaymentInput, { setFault, showFailure }: FaultState) {
  const { bills, view, form } = input
  const pay = useSend(payBills, { quiet: true })
  const showReceipt = useShowReceipt(input)
  // A key that is pressed again while something is asked or shown takes no second payment.
  const isBusy = useRef(false)
  // What was agreed to is what is sent, also later: the same request carries the same key (G-6).
  const request = useRef<PaymentRequest>(undefined)
  const submit = async (): Promise<void> => {
    if (!request.current) return
    if (!navigator.onLine) {
      setOffline(before => before ?? { phase: 'asking', isUnknown: false })
      return
    }
    try {
      const result = await pay.mutateAsync(request.current)
      isBusy.current = true
      setOffline(undefined)
      toast.success(describePayment(result))
      showReceipt(result.recordId)
    } catch (error) {
      if (isNetworkFailure(error)) {
        setOffline(before => ({ phase: before?.phase ?? 'asking', isUnknown: true }))
        return
      }
      setOffline(undefined)
      showFailure(collectFailureText(error), isTenderRefusal(error) ? 'main' : 'foot')
    }
  }
  const { offline, setOffline } = useOfflineResend(submit)
  const collect = async (): Promise<void> => {
    if (!bills.length || pay.isPending || isBusy.current || offline) return
    const typed = mixFault(bills) ?? findTenderFault(form.choices, form.sums, view.allowPartial)
    setFault(typed)
    if (typed) return
    isBusy.current = true
    const isConfirmed = await confirmChange(form.sums.change, view.changeLimit)
    isBusy.current = false
    if (isConfirmed) {
      request.current = { ...billsRequestOf(input), ...tendersRequestOf(input) }
      await submit()
    } else {
      setFault({ at: 'main', message: '找零过大，请核对实收金额' })
    }
  }
  return {
    collect,
    isPending: pay.isPending,
    offline,
    waitForNetwork: () => setOffline(before => before && { ...before, phase: 'waiting' }),
    cancelWaiting: () => {
      setFault({ at: 'foot', message: offline?.isUnknown ? unknownText : notSentText })
      setOffline(undefined)
      focusBillsAfterDialog()
    },
  }
}

interface StartedOrder {
  readonly order: OrderView
  readonly authCode: string | undefined
}

/** Sends a payment of the counter; `fault` says why it failed. */
export function useCollectPayment(input: CollectPaymentInput): CollectPayment {
  const { bills, view, form, onRefresh } = input
  const create = useSend(createOrder, { quiet: true })
  const [started, setStarted] = useState<StartedOrder>()
  const faults = usePaymentFault(onRefresh)
  const { fault, setFault, showFailure } = faults
  // A fault of one amount is not shown for another.
  useEffect(() => setFault(shown => (shown?.at === 'foot' ? shown : undefined)), [form.choices, setFault])
  const showReceipt = useShowReceipt(input)
  const byHand = useCollect(input, faults)

  const createBillOrder = (): Promise<OrderView> =>
    create.mutateAsync({ ...billsRequestOf(input), ...payerRequestOf(view) })

  const start = async (authCode: string | undefined): Promise<void> => {
    if (!bills.length || create.isPending) return
    const mixed = mixFault(bills)
    setFault(mixed)
    if (mixed) return
    try {
      setStarted({ order: await createBillOrder(), authCode })
    } catch (error) {
      showFailure(errorMessageOf(error, '发起收款失败'))
    }
  }

  const finishOrder = useCallback(
    (paid: OrderView): void => {
      setStarted(undefined)
      showReceipt(paid.recordId)
    },
    [showReceipt],
  )
  return {
    ...byHand,
    start,
    createBillOrder,
    order: started?.order,
    authCode: started?.authCode,
    closeOrder: () => {
      setStarted(undefined)
      onRefresh()
    },
    finishOrder,
    fault,
    isPending: byHand.isPending || create.isPending,
  }
}
