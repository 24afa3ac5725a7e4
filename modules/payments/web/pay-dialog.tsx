import { Button, Modal, Segmented } from 'antd'
import { ReloadOutlined } from '@ant-design/icons'
import { useEffect, useRef, useState } from 'react'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { useFocusReturn } from '#kit/web/use-focus-return.ts'
import type { OrderView } from '../contract/order.ts'
import { menu } from '../module.ts'
import { CardPayment } from './card-payment.tsx'
import { QrCodePane, ScanPane } from './pay-dialog-modes.tsx'
import { OrderAlerts, OrderSteps, OrderSummary } from './pay-dialog-progress.tsx'
import { defaultCounterChoice, type CounterChoice } from './counter-choice.ts'
import { isPaymentCode } from '../domain/scan-burst.ts'
import { payModesOf, type AvailableChannels, type PayMode } from './pay-mode.ts'
import { useScanBurst } from './use-scan-burst.ts'
import { useOrderActions, type OrderActions } from './use-order-actions.ts'
import { isOrderOpen, usePolledOrder, type PolledOrder } from './use-polled-order.ts'
import './pay-dialog.css'

const OfflinePane = lazyComponent(
  () => import('./offline-pane.tsx').then(m => m.OfflinePane),
  <div className="pay-scan pay-offline" aria-busy="true" style={{ minHeight: 240 }} />,
)

const billEntities = ['bill', 'payRecord', 'asset', 'feeRelation'] as const

type OfflineChoice = Pick<CounterChoice, 'method' | 'changeLimit'>

interface Props {
  readonly first: OrderView
  /** The mode to begin with; the cashier may change it until the payer has started. */
  readonly mode: PayMode
  /** The method of the counter that 线下 begins with, and the change above which it asks. */
  readonly offline?: OfflineChoice
  /** The payer's code where it was scanned before: it is sent at once. */
  readonly authCode?: string | undefined
  readonly channels: AvailableChannels
  /** A new order for the same thing; absent where it must be started elsewhere. */
  readonly createAgain?: () => Promise<OrderView>
  /** Entities whose lists are stale once it is paid. */
  readonly stale?: readonly string[]
  readonly onPaid: (order: OrderView) => void
  readonly onClose: () => void
}

/** A code pays once: not again for another mode, nor for the order that takes the place of this one. */
function useSendOnce(authCode: string | undefined, actions: OrderActions): void {
  const isSent = useRef(false)
  useEffect(() => {
    if (authCode === undefined || isSent.current) return
    isSent.current = true
    void actions.payWithCode(authCode)
  }, [authCode])
}

/**
 * One order from its code to its money (C5.1). The dialog closes itself when the order is paid, and stops
 * polling when it never will be.
 */
export function PayDialog(props: Props) {
  useFocusReturn()
  const { channels, offline = defaultCounterChoice } = props
  const [mode, setMode] = useState(props.mode)
  const polled = usePolledOrder(props.first, { stale: props.stale ?? billEntities, onPaid: props.onPaid })
  const actions = useOrderActions(polled, props.createAgain, props.onClose)
  const { order } = polled
  useSendOnce(props.authCode, actions)
  // Nobody pays it from elsewhere: what was made for this payment goes with the dialog.
  const endsWithDialog = order.isPrepaid && order.state === 'waiting' && mode === 'offline'
  const onClose = endsWithDialog ? actions.cancel : props.onClose
  const isPaying = order.state === 'paying'
  const isBusy = actions.running !== undefined
  const canScan =
    isOrderOpen(order) &&
    !isPaying &&
    !isBusy &&
    payModesOf(channels, order.orderType).some(m => m.value === 'scan')
  useScanBurst(code => {
    if (!canScan || !isPaymentCode(code)) return toast.warning('此码不是付款码，或当前不能扫码支付')
    setMode('scan')
    void actions.payWithCode(code)
  })
  return (
    <Modal
      open
      width={720}
      centered
      className="pay-dialog"
      // The library names a dialog by its title alone.
      title={<span className="aloud">收款</span>}
      styles={{ header: { margin: 0 } }}
      footer={null}
      closable={!isBusy}
      keyboard={!isPaying && !isBusy}
      mask={{ closable: !isPaying && !isBusy }}
      onCancel={onClose}
    >
      <div className="pay-left">
        <Segmented
          block
          options={[...payModesOf(channels, order.orderType)]}
          value={mode}
          disabled={isPaying || !isOrderOpen(order) || isBusy}
          onChange={setMode}
          aria-label="收款方式"
        />
        <ModePane mode={mode} polled={polled} actions={actions} channels={channels} offline={offline} />
      </div>
      <div className="pay-right">
        <OrderSummary order={order} />
        <OrderSteps polled={polled} mode={mode} />
        <OrderAlerts order={order} fault={polled.fault} />
        <OrderFooter polled={polled} actions={actions} onClose={onClose} />
        <small className="pay-note">
          {endsWithDialog ? '关闭窗口即取消收款，预缴账单同时撤销。' : closeNote(order)}
        </small>
      </div>
    </Modal>
  )
}

const closeNote = ({ orderType }: OrderView): string =>
  `关闭窗口不影响到账；${orderType === 'bill' ? '到账后显示在「刚刚办理」。' : '到账后自动生效。'}`

interface ModePaneProps {
  readonly mode: PayMode
  readonly polled: PolledOrder
  readonly actions: OrderActions
  readonly channels: AvailableChannels
  readonly offline: OfflineChoice
}

function ModePane({ mode, polled, actions, channels, offline }: ModePaneProps) {
  const { order } = polled
  if (mode === 'pos')
    return (
      <CardPayment order={order} isSending={actions.running === 'card'} onSend={actions.sendToTerminal} />
    )
  if (mode === 'offline') return <OfflinePane order={order} actions={actions} {...offline} />
  if (mode === 'scan') return <ScanPane key={order.orderNo} order={order} actions={actions} />
  const isSimulated = channels.some(c => c.simulated && c.channel !== 'pos')
  return <QrCodePane polled={polled} actions={actions} isSimulated={isSimulated} />
}

interface OrderFooterProps {
  readonly polled: PolledOrder
  readonly actions: OrderActions
  readonly onClose: () => void
}

function OrderFooter({ polled: { order }, actions, onClose }: OrderFooterProps) {
  const hasPermission = usePermission()
  const isOpen = isOrderOpen(order)
  return (
    <footer>
      {isOpen && (
        <Button icon={<ReloadOutlined />} loading={actions.running === 'query'} onClick={actions.query}>
          手动查询
        </Button>
      )}
      {isOpen && order.failReason && hasPermission(menu.refund.permissions.audit) && (
        <Button loading={actions.running === 'accept'} onClick={actions.accept}>
          {order.orderType === 'bill' ? '按实收转预存' : '按实收入账'}
        </Button>
      )}
      <span />
      {isOpen ? (
        <Button danger loading={actions.running === 'cancel'} onClick={actions.cancel}>
          取消收款
        </Button>
      ) : (
        <>
          <Button onClick={onClose}>{actions.renew ? '换方式' : '关闭'}</Button>
          {order.state !== 'refunded' && actions.renew && (
            <Button type="primary" loading={actions.running === 'renew'} onClick={actions.renew}>
              重新发起
            </Button>
          )}
        </>
      )}
    </footer>
  )
}
