import { useState, type ReactNode } from 'react'
import type { Action } from '#kit/web/action.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { sendAndInvalidate, sendAndToast } from '#kit/web/record-actions.ts'
import { usePermission } from '#kit/web/session.ts'
import { useChannelPayment } from '#modules/payments/web/public/channel-payment.ts'
import { createPaymentOrder } from '../contract/charge.ts'
import {
  acceptOrder,
  checkOrder,
  decideClose,
  decideExtension,
  grabOrder,
} from '../contract/order-actions.ts'
import { isEnded, type OrderAction } from '../domain/order-actions.ts'
import { menu } from '../module.ts'
import type { OrderDetail } from './clock-bars.ts'
import { relatedOrderPath } from './order-address.ts'
import type { OrderDialogKey } from './order-dialogs.tsx'
import { askReason, askRefund, paidEntities, passAudit, actionsWithReason } from './order-reasons.ts'

const OrderDialog = lazyComponent(() => import('./order-dialogs.tsx').then(m => m.OrderDialog))

/** In the order in which they stand; the first that is offered is the primary one. */
const buttonOrder: readonly OrderAction[] = [
  'auditPass',
  'finish',
  'resume',
  'accept',
  'checkPass',
  'dispatch',
  'grab',
  'pay',
  'evaluate',
  'visit',
  'extend',
  'arrive',
  'suspend',
  'modifyCost',
  'requestExtension',
  'expedite',
  'edit',
  'auditRefuse',
  'checkReject',
  'deny',
  'refuseExtension',
  'refuseClose',
  'close',
  'cancel',
  'refund',
  'reopen',
]

const dialogOf: { readonly [A in OrderAction]?: OrderDialogKey } = {
  dispatch: 'dispatch',
  arrive: 'arrive',
  suspend: 'suspend',
  resume: 'resume',
  requestExtension: 'requestExtension',
  finish: 'finish',
  modifyCost: 'modifyCost',
  expedite: 'expedite',
  evaluate: 'evaluate',
  visit: 'visit',
  edit: 'edit',
}

/** What happens at a press, without a question. */
const immediate: { readonly [A in OrderAction]?: (order: OrderDetail) => Promise<unknown> } = {
  auditPass: passAudit,
  accept: ({ id }) => sendAndToast(acceptOrder, { id }, '已接单'),
  grab: ({ id }) => sendAndToast(grabOrder, { id }, '已抢单'),
  checkPass: ({ id }) => sendAndToast(checkOrder, { id, isPassed: true }, '已通过验收'),
  extend: ({ id }) => sendAndToast(decideExtension, { id, isPassed: true }, '已同意延期'),
  refund: askRefund,
}

const labels: { readonly [A in OrderAction]?: string } = {
  auditPass: '通过',
  extend: '同意延期',
  pay: '发起收款',
  evaluate: '代为评价',
  edit: '修改',
  modifyCost: '改费用',
}

const dangerous: ReadonlySet<OrderAction> = new Set([
  'auditRefuse',
  'deny',
  'checkReject',
  'refuseExtension',
  'refuseClose',
  'close',
  'cancel',
  'refund',
])

export interface OrderActions {
  readonly actions: readonly Action[]
  readonly openDialog: (name: OrderDialogKey) => void
  readonly startPayment: (() => Promise<void>) | undefined
  readonly dialog: ReactNode
}

/** Its cost cannot be changed any more: what is to be done or charged beside it is an order of its own. */
const canHaveRelatedOrder = ({ state, payState }: OrderDetail): boolean =>
  state === 'unrated' || isEnded(state) || payState === 'paid'

/** What the caller may do to this order now, each with what it asks. */
export function useOrderActions(order: OrderDetail): OrderActions {
  const [open, setOpen] = useState<OrderDialogKey>()
  const hasPermission = usePermission()
  const offered = new Map(order.actions.map(a => [a.action, a.label]))
  const payment = useChannelPayment({ type: 'workOrder', stale: paidEntities, enabled: offered.has('pay') })
  const startPayment = (): Promise<void> =>
    payment.start(() => sendAndInvalidate(createPaymentOrder, { orderId: order.id }))
  const runOf = (action: OrderAction): (() => unknown) | undefined => {
    if (action === 'pay') return payment.open ? startPayment : undefined
    const name = dialogOf[action]
    if (name) return () => setOpen(name)
    const reason = actionsWithReason[action]?.(order)
    if (reason) return () => askReason(order, reason)
    const run = immediate[action]
    return run && (() => run(order))
  }
  const approveClose: Action[] = offered.has('refuseClose')
    ? [
        {
          label: '同意关闭',
          run: () => sendAndToast(decideClose, { id: order.id, isPassed: true }, '已关闭'),
        },
      ]
    : []
  const registerRelated: Action[] =
    canHaveRelatedOrder(order) && hasPermission(menu.order.permissions.add)
      ? [{ label: '登记关联工单', run: () => navigateTo(relatedOrderPath(order)) }]
      : []
  const hasVisit = order.visits.some(v => v.state === 'waiting')
  const actions = buttonOrder.flatMap((action): Action[] => {
    const label = offered.get(action)
    const run = runOf(action)
    if (label === undefined || !run || (action === 'visit' && !hasVisit)) return []
    const reason = actionsWithReason[action]?.(order)
    const shown =
      action === 'dispatch' && order.handlerName ? '转派' : (reason?.label ?? labels[action] ?? label)
    return [{ label: shown, danger: dangerous.has(action), run }]
  })
  return {
    actions: [...approveClose, ...actions, ...registerRelated],
    openDialog: setOpen,
    startPayment: offered.has('pay') && payment.open ? startPayment : undefined,
    dialog: (
      <>
        {open && <OrderDialog name={open} order={order} onClose={() => setOpen(undefined)} />}
        {payment.dialog}
      </>
    ),
  }
}
