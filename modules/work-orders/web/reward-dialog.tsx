import type { Id } from '#kit/domain/id.ts'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { createRewardOrder } from '../contract/charge.ts'

/** WO-9: a tip of the resident, paid through a channel. */
export const RewardDialog = actionDialog({
  call: createRewardOrder,
  title: ({ orderNo }: { readonly orderNo?: string | undefined; readonly orderId: Id }) =>
    `打赏「${orderNo ?? ''}」`,
  submitLabel: '发起打赏',
  keys: ['amount', 'remark'],
  target: ({ orderId }) => ({ orderId }),
  doneText: () => '已生成打赏支付单',
})
