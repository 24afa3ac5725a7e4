import { useAddressValue } from '#kit/web/address-value.ts'
import { Button } from 'antd'
import { use, useState } from 'react'
import { useShortcuts } from '#kit/web/shortcuts.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { usePermission } from '#kit/web/session.ts'
import { PrepayDialog, TemporaryDialog } from '#modules/bills/web/public.tsx'
import { addPreFee, addTempFee } from '#modules/bills/contract/temporary.ts'
import { menu } from '../module.ts'
import type { CashierView } from './cashier-extensions.ts'
import { CounterChoiceContext } from './counter-choice.ts'
import { useReceipts } from './use-receipts.tsx'

const DiscountDialog = lazyComponent(() => import('./discount-dialog.tsx').then(m => m.DiscountDialog))
const OtherIncomeDialog = lazyComponent(() =>
  import('./other-income-dialog.tsx').then(m => m.OtherIncomeDialog),
)
const OrderPayment = lazyComponent(() => import('./order-payment.tsx').then(m => m.OrderPayment))
type Bill = CashierView['groups'][number]['bills'][number]

const billableSourceTypes = ['room', 'parkPlace', 'car', 'publicArea', 'company'] as const

/** Whom a fee is added to: what is open at the cashier, where it can be billed. */
function billableSourceOf({ sourceType, sourceCode, sourceName }: CashierView) {
  const type = billableSourceTypes.find(t => t === sourceType)
  return type && { sourceType: type, sourceCode, sourceName }
}

/** The order to be paid here: one that was just opened, or the one that the address names. */
const useOpenOrder = () => useAddressValue('order')

/** Orders that hold bills shown at the cashier: on with the payment, or cancel it. */
export function OpenOrders({ orders }: { readonly orders: CashierView['openOrders'] }) {
  const [, setOrderNo] = useOpenOrder()
  return orders.map(order => (
    <Button
      key={order.orderNo}
      size="small"
      danger
      title={`支付单 ${order.orderNo} 待支付：继续收款或取消`}
      onClick={() => setOrderNo(order.orderNo)}
    >
      待支付 {displayYuanWithSymbol(order.amount)}
    </Button>
  ))
}

/** What else a cashier does: a fee by hand, periods ahead, income without an object. */
export function CashierActions({
  view,
  selectedBills = [],
  onRefresh,
  onClosed,
}: {
  readonly view?: CashierView
  readonly selectedBills?: readonly Bill[]
  readonly onRefresh: () => void
  /** A dialog was closed: the focus goes back to where the work is. */
  readonly onClosed?: () => void
}) {
  const hasPermission = usePermission()
  const [openDialog, setOpenDialog] = useState<'temporary' | 'prepay' | 'other' | 'discount'>()
  const close = (): void => {
    setOpenDialog(undefined)
    // After the dialog has given the focus back to its button.
    setTimeout(() => onClosed?.(), 0)
  }
  const [orderNo, setOrderNo] = useOpenOrder()
  const counterChoice = use(CounterChoiceContext)
  const receipts = useReceipts()
  const source = view && billableSourceOf(view)
  const canDiscount = view !== undefined && hasPermission(menu.cashier.permissions.discount)
  const canAddFee = source !== undefined && hasPermission(addTempFee.needs)
  const canPrepay = source !== undefined && hasPermission(addPreFee.needs)
  useShortcuts([
    ...(canAddFee
      ? [{ keys: 'Alt T', label: '临时费用', whileTyping: true, run: () => setOpenDialog('temporary') }]
      : []),
    ...(canPrepay
      ? [{ keys: 'Alt Y', label: '预缴', whileTyping: true, run: () => setOpenDialog('prepay') }]
      : []),
    ...(canDiscount && selectedBills.length
      ? [{ keys: 'Alt J', label: '减免', whileTyping: true, run: () => setOpenDialog('discount') }]
      : []),
  ])
  return (
    <span className="cashier-more">
      {canDiscount && (
        <Button
          size="small"
          disabled={!selectedBills.length}
          title={selectedBills.length ? undefined : '请先勾选账单'}
          onClick={() => setOpenDialog('discount')}
        >
          减免
        </Button>
      )}
      {canAddFee && (
        <Button size="small" title="Alt T" onClick={() => setOpenDialog('temporary')}>
          临时费用
        </Button>
      )}
      {canPrepay && (
        <Button size="small" title="Alt Y" onClick={() => setOpenDialog('prepay')}>
          预缴
        </Button>
      )}
      {hasPermission(menu.cashier.permissions.other) && (
        <Button size="small" onClick={() => setOpenDialog('other')}>
          其他收入
        </Button>
      )}
      {openDialog === 'discount' && (
        <DiscountDialog
          bills={selectedBills}
          onClose={close}
          onDone={() => {
            close()
            onRefresh()
          }}
        />
      )}
      {openDialog === 'temporary' && source && (
        <TemporaryDialog of={source} onClose={close} onDone={onRefresh} />
      )}
      {openDialog === 'prepay' && source && (
        <PrepayDialog
          of={source}
          onClose={close}
          onDone={no => {
            onRefresh()
            setOrderNo(no)
          }}
        />
      )}
      {orderNo && (
        <OrderPayment
          orderNo={orderNo}
          choice={counterChoice.current}
          onPaid={order => {
            setOrderNo(undefined)
            onRefresh()
            if (order.recordId !== undefined) {
              receipts.open([order.recordId])
            }
          }}
          onClose={() => {
            setOrderNo(undefined)
            onRefresh()
            setTimeout(() => onClosed?.(), 0)
          }}
        />
      )}
      {openDialog === 'other' && (
        <OtherIncomeDialog
          onClose={close}
          onDone={id => {
            close()
            receipts.open([id])
          }}
        />
      )}
      {receipts.dialog}
    </span>
  )
}
