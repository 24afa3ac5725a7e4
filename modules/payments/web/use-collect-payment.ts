import type { Id } from '#kit/domain/id.ts'
import { useCallback, useState } from 'react'
import type { Day } from '#kit/domain/day.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { subtractFen, type Fen } from '#kit/domain/money.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import { useSend } from '#kit/web/query.ts'
import { RequestFailure } from '#kit/web/send.ts'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { createOrder, type OrderView } from '../contract/order.ts'
import { payBills } from '../contract/payment.ts'
import { menu } from '../module.ts'
import type { CashierBill, CashierView } from './cashier.tsx'
import { errorMessageOf } from './error-message.ts'
import { isReceivedUnreadable, tenderLinesOf, type TenderForm } from './use-tender-form.ts'
import type { useReceipts } from './use-receipts.tsx'

type PaymentResult = NonNullable<typeof payBills.output.T>

const describePayment = (result: PaymentResult): string =>
  [
    `已收 ${displayYuan(subtractFen(result.tendered, result.change), true)}`,
    ...(result.change ? [`找零 ${displayYuan(result.change, true)}`] : []),
    ...(result.toPrestore ? [`转预存 ${displayYuan(result.toPrestore, true)}`] : []),
    `收据 ${result.receiptNo}`,
  ].join('，')

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
  /** Starts an order for a channel and shows it. */
  readonly start: () => Promise<void>
  /** A new order for the same bills. */
  readonly createBillOrder: () => Promise<OrderView>
  readonly order: OrderView | undefined
  readonly closeOrder: () => void
  readonly finishOrder: (order: OrderView) => void
  readonly fault: string
  readonly isPending: boolean
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
  keep: form.choices.keepsChange && form.sums.excess > 0,
  ...(payDay ? { payTime: noonOf(payDay) } : {}),
})

const payerRequestOf = ({ payerKind, payerId, payerName }: CashierView) => ({
  ...(payerKind && payerId ? { payerKind, payerId } : {}),
  ...(payerName ? { payerName } : {}),
})

const collectFailureText = (error: unknown): string => {
  const message = errorMessageOf(error, '收款没有成功')
  return error instanceof RequestFailure
    ? `${message}。还不知道是否已收，请先刷新查看，不要重复收款`
    : message
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

/** Why a payment failed; new amounts are fetched where they have changed. */
function usePaymentFault(onRefresh: () => void) {
  const [fault, setFault] = useState('')
  const showFailure = (message: string): void => {
    setFault(message)
    if (message.startsWith('金额已变化')) {
      onRefresh()
    }
  }
  return { fault, setFault, showFailure }
}

/** Sends a payment of the counter; `fault` says why it failed. */
export function useCollectPayment(input: CollectPaymentInput): CollectPayment {
  const { bills, view, form, onRefresh } = input
  const pay = useSend(payBills, { quiet: true })
  const create = useSend(createOrder, { quiet: true })
  const [order, setOrder] = useState<OrderView>()
  const { fault, setFault, showFailure } = usePaymentFault(onRefresh)
  const showReceipt = useShowReceipt(input)

  const collect = async (): Promise<void> => {
    if (!bills.length || pay.isPending) return
    if (isReceivedUnreadable(form.choices)) {
      setFault('实收金额应为数字，最多两位小数')
      return
    }
    setFault('')
    try {
      const result = await pay.mutateAsync({ ...billsRequestOf(input), ...tendersRequestOf(input) })
      toast.success(describePayment(result))
      showReceipt(result.recordId)
    } catch (error) {
      showFailure(collectFailureText(error))
    }
  }

  const createBillOrder = (): Promise<OrderView> =>
    create.mutateAsync({ ...billsRequestOf(input), ...payerRequestOf(view) })

  const start = async (): Promise<void> => {
    if (!bills.length || create.isPending) return
    setFault('')
    try {
      setOrder(await createBillOrder())
    } catch (error) {
      showFailure(errorMessageOf(error, '没有发起'))
    }
  }

  const finishOrder = useCallback(
    (paid: OrderView): void => {
      setOrder(undefined)
      showReceipt(paid.recordId)
    },
    [showReceipt],
  )
  return {
    collect,
    start,
    createBillOrder,
    order,
    closeOrder: () => {
      setOrder(undefined)
      onRefresh()
    },
    finishOrder,
    fault,
    isPending: pay.isPending || create.isPending,
  }
}
