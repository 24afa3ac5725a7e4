import { displayYuanWithSymbol } from '#kit/domain/money.ts'
import { invalidate } from '#kit/web/query.ts'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { send } from '#kit/web/send.ts'
import { resubmitRequest } from '#modules/approvals/contract/instance-actions.ts'
import { getInstanceOfRecord } from '#modules/approvals/contract/instance.ts'
import type { FeeRefund } from '../contract/refund.ts'

/** What came back goes in again as it is (APR-4). */
export async function sendAgain(refund: FeeRefund): Promise<boolean> {
  const { id } = await send(getInstanceOfRecord, { bizType: 'refund', bizId: refund.id })
  return confirmAndSend(resubmitRequest, {
    actionLabel: '重新提交',
    unit: '笔退款',
    title: `重新提交退款 ${refund.refundNo}`,
    okLabel: '重新提交',
    affectedSums: [
      ['收费对象', refund.sourceName],
      ['退款金额', displayYuanWithSymbol(refund.amount)],
    ],
    consequences: ['按原内容重新提交，从第一个节点开始审批；内容有误的，请取消退款后重新申请'],
    reason: false,
    input: { id },
    onDone: () => invalidate(['feeRefund']),
  })
}
