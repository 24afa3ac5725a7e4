import type { FeeRefund } from '../contract/refund.ts'

/** What became of a refund that was just asked for; nothing where it is paid already. */
export const refundWaitsText = (state: FeeRefund['state'] | undefined, refundNo = ''): string | undefined => {
  if (state === 'pending') return `退款 ${refundNo} 已提交，待其他人审核`
  if (state === 'approving') return `退款 ${refundNo} 已提交审批，通过后退款`
  return state === 'doing' ? `退款 ${refundNo} 已提交支付渠道，等待结果` : undefined
}
