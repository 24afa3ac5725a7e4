import { subtractFen, type Fen } from '#kit/domain/money.ts'
import { confirmDanger } from '#kit/web/confirm.tsx'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { confirmAndSend, sendAndInvalidate, sendAndToast } from '#kit/web/record-actions.ts'
import { toast } from '#kit/web/toast.ts'
import { refundCharge } from '../contract/charge.ts'
import {
  auditOrder,
  cancelOrder,
  checkOrder,
  closeOrder,
  decideClose,
  decideExtension,
  denyOrder,
  reopenOrder,
} from '../contract/order-actions.ts'
import { needsCloseApproval, type OrderAction } from '../domain/order-actions.ts'
import type { OrderDetail } from './clock-bars.ts'

/** Entities that a payment of an order changes. */
export const paidEntities = [
  'workOrder',
  'workOrderCharge',
  'workOrderRecord',
  'bill',
  'payRecord',
  'payOrder',
]

type NamedOrder = Pick<OrderDetail, 'id' | 'orderNo'>

interface ActionWithReason {
  readonly send: (reason: string) => Promise<unknown>
  readonly label: string
  readonly done: string
  readonly presets: readonly string[]
  readonly consequences?: readonly string[]
}

const quiet = { quiet: true } as const

const refusal = ({ id }: NamedOrder): ActionWithReason => ({
  send: reason => sendAndInvalidate(auditOrder, { id, isPassed: false, reason }, quiet),
  label: '驳回',
  done: '已驳回',
  presets: ['不属于物业服务范围', '信息不全', '重复登记'],
  consequences: ['工单结束，报事人收到驳回原因'],
})

/** What needs a reason (G-10). */
export const actionsWithReason: { readonly [A in OrderAction]?: (order: OrderDetail) => ActionWithReason } = {
  auditRefuse: refusal,
  deny: ({ id, denyCount }) => ({
    send: reason => sendAndInvalidate(denyOrder, { id, reason }, quiet),
    label: '拒单',
    done: '已退回派单',
    presets: ['不在本人负责范围', '手头工单较多', '已下班'],
    consequences: [`已拒单 ${denyCount} 次，满 3 次由主管处理`],
  }),
  checkReject: ({ id }) => ({
    send: reason => sendAndInvalidate(checkOrder, { id, isPassed: false, reason }, quiet),
    label: '验收退回',
    done: '已退回返修',
    presets: ['问题仍存在', '现场未清理', '照片不清楚'],
    consequences: ['回到处理中，完成时限接着计时'],
  }),
  refuseExtension: ({ id }) => ({
    send: reason => sendAndInvalidate(decideExtension, { id, isPassed: false, reason }, quiet),
    label: '驳回延期',
    done: '已驳回延期',
    presets: ['时间充足', '理由不充分'],
  }),
  refuseClose: ({ id }) => ({
    send: reason => sendAndInvalidate(decideClose, { id, isPassed: false, reason }, quiet),
    label: '驳回关闭',
    done: '已驳回关闭',
    presets: ['问题未解决', '需继续处理'],
  }),
  close: ({ id, state }) => ({
    send: reason => sendAndInvalidate(closeOrder, { id, reason }, quiet),
    label: needsCloseApproval(state) ? '申请关闭' : '关闭',
    done: needsCloseApproval(state) ? '已提交关闭申请' : '已关闭',
    presets: ['重复报事', '报事人撤回', '无法处理'],
    consequences: [needsCloseApproval(state) ? '主管批准后工单结束' : '工单结束，不再计时'],
  }),
  cancel: ({ id }) => ({
    send: reason => sendAndInvalidate(cancelOrder, { id, reason }, quiet),
    label: '取消',
    done: '已取消',
    presets: ['登记有误', '报事人撤回'],
    consequences: ['工单结束，不再计时'],
  }),
  reopen: ({ id }) => ({
    send: reason => sendAndInvalidate(reopenOrder, { id, reason }, quiet),
    label: '重新处理',
    done: '已重新处理',
    presets: ['问题再次出现', '回访不满意'],
    consequences: ['由原处理人继续处理，不能接单的重新派单；完成时限重新计时'],
  }),
}

export const askReason = (
  order: NamedOrder,
  { send, label, done, presets, consequences }: ActionWithReason,
) =>
  confirmDanger({
    actionLabel: label,
    unit: '张工单',
    count: 1,
    title: `${label}「${order.orderNo}」`,
    reason: { presets },
    ...(consequences ? { consequences } : {}),
    run: async reason => {
      await send(reason)
      toast.success(done)
    },
  })

/** All that was paid, but for what is asked back already. */
const refundableOf = ({ money }: OrderDetail): Fen =>
  money ? subtractFen(money.paidTotal, ...money.refunds.map(refund => refund.amount)) : 0

export const askRefund = (order: OrderDetail) =>
  confirmAndSend(refundCharge, {
    actionLabel: '退款',
    unit: '张工单',
    title: `退款「${order.orderNo}」`,
    affectedSums: [['金额', displayYuanWithSymbol(refundableOf(order))]],
    amount: refundableOf(order),
    reason: { presets: ['服务未完成', '收费有误'] },
    consequences: ['全额退还，按收银的退款流程办理'],
    input: { orderId: order.id },
    doneText: '已申请退款',
  })

export const passAudit = ({ id }: NamedOrder): Promise<unknown> =>
  sendAndToast(auditOrder, { id, isPassed: true }, '已通过审核')

export const refuseAudit = (order: NamedOrder): Promise<boolean> => askReason(order, refusal(order))
